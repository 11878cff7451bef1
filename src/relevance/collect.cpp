#include "relevance/collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {

QueryLists single_list(Index query, std::vector<Index> relevant, std::vector<Index> irrelevant) {
  QueryLists result{
      .lists = {}, .has_relevant = !relevant.empty(), .has_irrelevant = !irrelevant.empty()};
  if (result.has_relevant && result.has_irrelevant) {
    result.lists.push_back({.query = query,
                            .relevant = std::move(relevant),
                            .irrelevant = std::move(irrelevant),
                            .weight = 1.0});
  }
  return result;
}

std::vector<Index> chosen_queries(const ListOptions& options, Index available) {
  require(options.relevant >= 1 && options.irrelevant >= 1,
          fmt::format("relevant and irrelevant items per list must be 1 or more, got {} and {}",
                      options.relevant, options.irrelevant));
  if (options.queries.empty()) {
    std::vector<Index> all(static_cast<std::size_t>(available));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<Index> sorted = options.queries;
  std::ranges::sort(sorted);
  require(
      sorted.front() >= 0 && sorted.back() < available,
      fmt::format("query {} does not exist; there are {}, choose queries from 1 to {}",
                  (sorted.front() < 0 ? sorted.front() : sorted.back()) + 1, available, available));
  const auto twice = std::ranges::adjacent_find(sorted);
  require(twice == sorted.end(),
          fmt::format("query {} is listed twice", twice == sorted.end() ? 0 : *twice + 1));
  return options.queries;
}

std::vector<QueryLists> for_each_query(
    const std::vector<Index>& queries, Seed seed, Threads threads,
    const std::function<QueryLists(Index query, Rng& rng)>& make) {
  constexpr Index kQueriesPerTask = 16;
  std::vector<QueryLists> per_query(queries.size());
  parallel_for(std::ssize(queries), threads, kQueriesPerTask, [&](Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      Rng rng(seed.fork(static_cast<std::uint64_t>(queries[i])));
      per_query[i] = make(queries[i], rng);
    }
  });
  return per_query;
}

BuiltLists collect(std::vector<QueryLists> per_query) {
  BuiltLists built;
  built.queries = std::ssize(per_query);
  for (QueryLists& query : per_query) {
    built.without_relevant += query.has_relevant ? 0 : 1;
    built.without_irrelevant += query.has_irrelevant ? 0 : 1;
    std::ranges::move(query.lists, std::back_inserter(built.lists));
  }
  if (built.lists.empty()) {
    fail(
        Errc::bad_data,
        fmt::format("no relevance list could be made from {} queries: {} have no relevant item, {} "
                    "no irrelevant one; at least one query needs both",
                    built.queries, built.without_relevant, built.without_irrelevant));
  }
  return built;
}

}  // namespace structhash
