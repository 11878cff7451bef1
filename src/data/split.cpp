#include "structhash/data/split.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "structhash/core/error.hpp"

namespace structhash {

Split split(Index rows, Index queries, Index train, Seed seed, bool leave_out_training) {
  require(rows >= 1, "there are no rows to split");
  require(queries >= 0 && train >= 0,
          "the numbers of queries and training rows must not be negative");
  require(queries < rows,
          fmt::format("{} queries of {} rows leave an empty database; use at most {} queries",
                      queries, rows, rows - 1));
  require(
      train <= rows - queries,
      fmt::format("{} training rows are too many: {} of the {} rows are queries, so at most {} are "
                  "left for training",
                  train, queries, rows, rows - queries));
  Split result;
  Rng query_stream(seed.fork("split queries"));
  result.queries = sample_without_replacement(rows, queries, query_stream);

  std::vector<bool> taken(static_cast<std::size_t>(rows));
  for (const Index query : result.queries) {
    taken[static_cast<std::size_t>(query)] = true;
  }
  result.database.reserve(static_cast<std::size_t>(rows - queries));
  for (Index row = 0; row < rows; ++row) {
    if (!taken[static_cast<std::size_t>(row)]) {
      result.database.push_back(row);
    }
  }

  Rng train_stream(seed.fork("split train"));
  result.train = sample_without_replacement(rows - queries, train, train_stream);
  for (Index& row : result.train) {
    row = result.database[static_cast<std::size_t>(row)];
    taken[static_cast<std::size_t>(row)] = leave_out_training;
  }
  std::erase_if(result.database, [&](Index row) { return taken[static_cast<std::size_t>(row)]; });
  require(!result.database.empty(), "without the training rows the database is empty");
  return result;
}

}  // namespace structhash
