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

constexpr Index kBlockEntries = Index{1} << 24;  // products held at once by a thread: 64 MiB
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

/// The scratch space of one task: filled anew for every query.
struct Selection {
  std::vector<float> lower;
  std::vector<float> upper;
  std::vector<std::pair<double, Index>> candidates;  // exact distance, row
  std::vector<Index> nearest;
};

/// The `count` nearest items of one query, exactly.
///
/// The product gives |x|^2 - 2 x.q with an error below slack = (d + 8) 2^-22 (|x|^2 + |q|^2): d
/// roundings of relative size 2^-24 on a sum of absolute value at most |x||q|, doubled, with room
/// to spare.  At least `count` items are certainly within the count-th smallest upper bound, so an
/// item whose lower bound is above it is certainly out; the rest is measured again in double.
void select_nearest(const MatrixView& items, const std::vector<float>& norms,
                    const MatrixView& queries, Index query, float query_norm, const float* products,
                    Index self, Index count, Selection& scratch) {
  const auto n = static_cast<std::size_t>(items.rows());
  const float unit = std::ldexp(static_cast<float>(items.cols() + 8), -22);
  scratch.lower.resize(n);
  scratch.upper.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const float distance = norms[i] - 2.0F * products[i];
    const float slack = unit * (norms[i] + query_norm) + FLT_MIN;
    scratch.lower[i] = distance - slack;
    scratch.upper[i] = distance + slack;
  }
  if (self >= 0) {
    scratch.lower[static_cast<std::size_t>(self)] = INFINITY;
    scratch.upper[static_cast<std::size_t>(self)] = INFINITY;
  }
  const auto last = scratch.upper.begin() + (count - 1);
  std::nth_element(scratch.upper.begin(), last, scratch.upper.end());
  const float bound = *last;

  scratch.candidates.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (scratch.lower[i] <= bound) {
      const auto item = static_cast<Index>(i);
      scratch.candidates.emplace_back(squared_distance(items, item, queries, query), item);
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
  require(
      fraction > 0.0 && fraction < 1.0,
      fmt::format("the fraction of nearest items is {}; it must lie between 0 and 1", fraction));
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
  require(self.empty() || std::ssize(self) == queries.rows(), "one own row per query is needed");
  const Index available = items.rows() - (self.empty() ? 0 : 1);
  require(count >= 1 && count <= available,
          fmt::format("{} nearest of {} items were asked for", count, available));
  const std::vector<float> item_norms = squared_norms(items, "item");
  const std::vector<float> query_norms = squared_norms(queries, "query");

  const Index block = std::clamp<Index>(kBlockEntries / items.rows(), 1, kMaxBlockRows);
  parallel_for(queries.rows(), threads, block, [&](Index begin, Index end) {
    const Matrix<float> products =
        product_abt(queries.middleRows(begin, end - begin), items, /*threads=*/1);
    Selection scratch;
    for (Index query = begin; query < end; ++query) {
      const auto q = static_cast<std::size_t>(query);
      select_nearest(items, item_norms, queries, query, query_norms[q],
                     products.row(query - begin).data(), self.empty() ? -1 : self[q], count,
                     scratch);
      visit(query, scratch.nearest);
    }
  });
}

}  // namespace structhash
