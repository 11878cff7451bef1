#include <algorithm>
#include <utility>

#include "relevance/collect.hpp"
#include "relevance/metric_neighbours.hpp"
#include "relevance/sampling.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

BuiltLists lists_from_neighbours(const MatrixView& x, double fraction, const ListOptions& options,
                                 Seed seed, Threads threads) {
  require(x.rows() >= 2, "metric neighbours need at least two rows");
  const std::vector<Index> queries = chosen_queries(options, x.rows());
  const Index count = neighbour_count(x.rows() - 1, fraction);
  const Seed stream = seed.fork("relevance from neighbours");

  Matrix<float> query_rows(std::ssize(queries), x.cols());
  for (Index i = 0; i < query_rows.rows(); ++i) {
    query_rows.row(i) = x.row(queries[static_cast<std::size_t>(i)]);
  }
  std::vector<QueryLists> per_query(queries.size());
  std::vector<double> reach(static_cast<std::size_t>(x.rows()), -1.0);
  visit_nearest(x, query_rows, queries, count, threads,
                [&](Index i, std::span<const Index> nearest) {
                  const Index query = queries[static_cast<std::size_t>(i)];
                  for (const Index row : nearest) {
                    double& farthest = reach[static_cast<std::size_t>(query)];
                    farthest = std::max(farthest, squared_distance(x, row, x, query));
                  }
                  Rng rng(stream.fork(static_cast<std::uint64_t>(query)));
                  std::vector<Index> excluded(nearest.begin(), nearest.end());
                  excluded.insert(std::ranges::lower_bound(excluded, query), query);
                  auto relevant = sample_of(nearest, options.relevant, rng);
                  auto irrelevant = sample_outside(x.rows(), excluded, options.irrelevant, rng);
                  per_query[static_cast<std::size_t>(i)] =
                      single_list(query, std::move(relevant), std::move(irrelevant));
                });
  BuiltLists built = collect(std::move(per_query));
  built.reach = std::move(reach);
  return built;
}

}  // namespace structhash
