#include "structhash/evaluation/ground_truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "relevance/label_masks.hpp"
#include "relevance/metric_neighbours.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Relevant items of every query, those of query q in entries starts[q] .. starts[q + 1] - 1.
/// Four bytes an item: two percent of a million items for ten thousand queries stay below 1 GiB.
struct SparseGrades {
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> items;
  std::vector<std::uint8_t> grades;  // empty: all 1

  void fill(Index query, std::span<std::uint8_t> out) const {
    std::ranges::fill(out, std::uint8_t{0});
    const auto q = static_cast<std::size_t>(query);
    for (std::size_t at = starts[q]; at < starts[q + 1]; ++at) {
      out[items[at]] = grades.empty() ? std::uint8_t{1} : grades[at];
    }
  }
};

void require_countable(Index items) {
  require(items <= Index{std::numeric_limits<std::uint32_t>::max()},
          "relevance sets can name at most 4,294,967,295 database items");
}

/// The classes of the queries, numbered as those of the database; -1: not in the database.
std::vector<int> classes_of_queries(const Labels& queries, const Labels& database) {
  if (queries.names == database.names) {
    return queries.classes;
  }
  if (queries.names.empty() || database.names.empty()) {
    fail(Errc::bad_data,
         fmt::format("the labels of the {} are text, those of the {} numbers; use the same kind",
                     queries.names.empty() ? "database" : "queries",
                     queries.names.empty() ? "queries" : "database"));
  }
  std::vector<int> numbers;
  for (const std::string& name : queries.names) {
    const auto found = std::ranges::lower_bound(database.names, name);
    numbers.push_back(found != database.names.end() && *found == name
                          ? static_cast<int>(found - database.names.begin())
                          : -1);
  }
  std::vector<int> classes(queries.classes.size());
  std::ranges::transform(queries.classes, classes.begin(), [&numbers](int number) {
    return numbers[static_cast<std::size_t>(number)];
  });
  return classes;
}

}  // namespace

GroundTruth GroundTruth::from_labels(const Labels& queries, const Labels& database) {
  require(!queries.empty() && !database.empty(),
          "evaluation by labels needs labels of the queries and of the database");
  require(queries.is_multi() == database.is_multi(),
          "queries and database need labels of the same kind: one class per item, or a 0/1 matrix");
  GroundTruth truth;
  truth.queries_ = queries.size();
  truth.items_ = database.size();
  if (!queries.is_multi()) {
    truth.fill_ = [of_query = classes_of_queries(queries, database), of_item = database.classes](
                      Index query, std::span<std::uint8_t> grades) {
      const int wanted = of_query[static_cast<std::size_t>(query)];
      std::ranges::transform(of_item, grades.begin(), [wanted](int label) {
        return static_cast<std::uint8_t>(label == wanted ? 1 : 0);
      });
    };
    return truth;
  }
  require(queries.multi.cols() == database.multi.cols(),
          fmt::format("the queries have {} labels, the database {}", queries.multi.cols(),
                      database.multi.cols()));
  truth.fill_ = [of_query = LabelMasks(queries.multi), of_item = LabelMasks(database.multi)](
                    Index query, std::span<std::uint8_t> grades) {
    of_item.related(of_query.row(query), grades);
  };
  return truth;
}

GroundTruth GroundTruth::from_judgments(const Judgments& judgments) {
  check(judgments);
  require_countable(judgments.items);
  GroundTruth truth;
  truth.queries_ = std::ssize(judgments.queries);
  truth.items_ = judgments.items;
  SparseGrades sparse;
  for (const auto& judged : judgments.queries) {
    for (const auto& [item, grade] : judged) {
      if (grade > 0) {
        sparse.items.push_back(static_cast<std::uint32_t>(item));
        sparse.grades.push_back(static_cast<std::uint8_t>(grade));
        truth.highest_grade_ = std::max(truth.highest_grade_, grade);
      }
    }
    sparse.starts.push_back(sparse.items.size());
  }
  truth.fill_ = [sparse = std::move(sparse)](Index query, std::span<std::uint8_t> grades) {
    sparse.fill(query, grades);
  };
  return truth;
}

GroundTruth GroundTruth::from_neighbours(const MatrixView& queries, const MatrixView& database,
                                         double fraction, int threads) {
  require(queries.rows() > 0 && database.rows() > 0,
          "metric neighbours need at least one query and one database vector");
  require_countable(database.rows());
  const Index count = neighbour_count(database.rows(), fraction);
  const auto per_query = static_cast<std::size_t>(count);
  GroundTruth truth;
  truth.queries_ = queries.rows();
  truth.items_ = database.rows();
  SparseGrades sparse;
  sparse.items.resize(static_cast<std::size_t>(queries.rows()) * per_query);
  for (Index query = 1; query <= queries.rows(); ++query) {
    sparse.starts.push_back(static_cast<std::size_t>(query) * per_query);
  }
  visit_nearest(database, queries, /*self=*/{}, count, threads,
                [&](Index query, std::span<const Index> nearest) {
                  std::ranges::transform(
                      nearest, sparse.items.begin() + static_cast<std::ptrdiff_t>(query) * count,
                      [](Index item) { return static_cast<std::uint32_t>(item); });
                });
  truth.fill_ = [sparse = std::move(sparse)](Index query, std::span<std::uint8_t> grades) {
    sparse.fill(query, grades);
  };
  return truth;
}

}  // namespace structhash
