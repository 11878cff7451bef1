#include "relevance/metric_neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>
#include <vector>

#include "core/linalg.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kBlockEntries = Index{1} << 24;  // products that a thread holds: 64 MiB
constexpr Index kMaxBlockRows = 256;

std::vector<float> squared_norms(const MatrixView& x, std::string_view what) {
  std::vector<float> norms(static_cast<std::size_t>(x.rows()));
  for (Index row = 0; row < x.rows(); ++row) {
    const double norm = x.row(row).cast<double>().squaredNorm();
    if (!(norm <= 0.1 * static_cast<double>(FLT_MAX))) {
      fail(Errc::bad_data,
           fmt::format("{} {} has values that are not finite or too large for distances in single "
                       "precision; scale the features first",
                       what, row + 1));
    }
    norms[static_cast<std::size_t>(row)] = static_cast<float>(norm);
  }
  return norms;
}

/// Items or queries, and the squared norms of their rows.
struct NormedRows {
  const MatrixView& x;
  std::vector<float> norms;
};

/// One query: its row, its products with all items, and the item that it is (-1: none).
struct QueryProducts {
  Index query;
  const float* products;
  Index self;
};

/// Scratch space of one task, filled again for every query.
struct Selection {
  std::vector<float> lower;
  std::vector<float> upper;
  std::vector<std::pair<double, Index>> candidates;  // exact distance, row
  std::vector<Index> nearest;
};

/// Finds the `count` nearest items of one query, exactly.
///
/// The product gives |x|^2 - 2 x.q with an error below slack = (d + 8) 2^-22 (|x|^2 + |q|^2): d
/// roundings of relative size 2^-24 on a sum of absolute value at most |x||q|, doubled, with a
/// margin.  At least `count` items are within the count-th smallest upper bound, so items whose
/// lower bound is above it are excluded; the distances of the others are computed again in double.
void select_nearest(const NormedRows& items, const NormedRows& queries, const QueryProducts& one,
                    Index count, Selection& scratch) {
  const auto n = static_cast<std::size_t>(items.x.rows());
  const std::vector<float>& norms = items.norms;
  const float query_norm = queries.norms[static_cast<std::size_t>(one.query)];
  const float unit = std::ldexp(static_cast<float>(items.x.cols() + 8), -22);
  scratch.lower.resize(n);
  scratch.upper.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const float distance = norms[i] - 2.0F * one.products[i];
    const float slack = unit * (norms[i] + query_norm) + FLT_MIN;
    scratch.lower[i] = distance - slack;
    scratch.upper[i] = distance + slack;
  }
  if (one.self >= 0) {
    scratch.lower[static_cast<std::size_t>(one.self)] = INFINITY;
    scratch.upper[static_cast<std::size_t>(one.self)] = INFINITY;
  }
  const auto last = scratch.upper.begin() + (count - 1);
  std::nth_element(scratch.upper.begin(), last, scratch.upper.end());
  const float bound = *last;

  scratch.candidates.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (scratch.lower[i] <= bound) {
      const auto item = static_cast<Index>(i);
      scratch.candidates.emplace_back(squared_distance(items.x, item, queries.x, one.query), item);
    }
  }
  std::nth_element(scratch.candidates.begin(), scratch.candidates.begin() + (count - 1),
                   scratch.candidates.end());
  scratch.nearest.clear();
  for (auto it = scratch.candidates.begin(); it != scratch.candidates.begin() + count; ++it) {
    scratch.nearest.push_back(it->second);
  }
  std::ranges::sort(scratch.nearest);
}

}  // namespace

Index neighbour_count(Index items, double fraction) {
  require(fraction > 0.0 && fraction < 1.0,
          fmt::format("the fraction of nearest items must be between 0 and 1, got {}", fraction));
  return std::max<Index>(1, std::llround(fraction * to_double(items)));
}

double squared_distance(const MatrixView& items, Index item, const MatrixView& queries,
                        Index query) {
  return (items.row(item).cast<double>() - queries.row(query).cast<double>()).squaredNorm();
}

void visit_nearest(const MatrixView& items, const MatrixView& queries, std::span<const Index> self,
                   Index count, Threads threads,
                   const std::function<void(Index query, std::span<const Index> nearest)>& visit) {
  require(
      items.cols() == queries.cols(),
      fmt::format("the queries have {} dimensions, the items {}", queries.cols(), items.cols()));
  require(self.empty() || std::ssize(self) == queries.rows(), "self must hold one item per query");
  const Index available = items.rows() - (self.empty() ? 0 : 1);
  require(count >= 1 && count <= available,
          fmt::format("the number of neighbours must be 1 to {1}, got {0}", count, available));
  const NormedRows normed_items{items, squared_norms(items, "item")};
  const NormedRows normed_queries{queries, squared_norms(queries, "query")};

  const Index block = std::clamp<Index>(kBlockEntries / items.rows(), 1, kMaxBlockRows);
  parallel_for(queries.rows(), threads, block, [&](Index begin, Index end) {
    const Matrix<float> products =
        product_abt(queries.middleRows(begin, end - begin), items, /*threads=*/1);
    Selection scratch;
    for (Index query = begin; query < end; ++query) {
      const auto q = static_cast<std::size_t>(query);
      select_nearest(
          normed_items, normed_queries,
          {query, products.row(query - begin).data(), self.empty() ? Index{-1} : self[q]}, count,
          scratch);
      visit(query, scratch.nearest);
    }
  });
}

}  // namespace structhash
