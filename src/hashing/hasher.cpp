#include "structhash/hashing/hasher.hpp"
#include "hashing/training_shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "relevance/check_lists.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

void ensure(bool condition, const std::string& message) {
  if (!condition) {
    fail(Errc::bad_data, message);
  }
}

/// Methods take squared distances and products of features in 32-bit floats, which reach from 1e-38
/// to 1e38: beyond these sizes they overflow or vanish, and training would give a wrong model.
constexpr float kMaxFeature = 1e15F;
constexpr float kMinFeature = 1e-15F;  // of the largest one

void check_sizes(const MatrixView& x, std::string_view what) {
  const float largest = x.cwiseAbs().maxCoeff();
  ensure(largest <= kMaxFeature && (largest >= kMinFeature || largest == 0.0F),
         fmt::format("{}: the largest value is {:.1e} in size; training needs it between "
                     "{:.0e} and {:.0e}; scale the features, for example to a variance of 1",
                     what, largest, kMinFeature, kMaxFeature));
}

/// True if at least two rows have different labels.
bool distinguishes_rows(const Labels& labels) {
  if (labels.is_multi()) {
    return (labels.multi.rowwise() - labels.multi.row(0)).any();
  }
  return std::ranges::any_of(labels.classes, [&](int c) { return c != labels.classes.front(); });
}

}  // namespace

Shards shards_of(const TrainingSet& data, const FitContext& context) {
  const std::vector<Index> all{data.rows()};
  const Shards shards(data.shards.empty() ? all : data.shards, context.processes);
  require(shards.rows() == data.rows(), "the shards of a training set must hold all of its rows");
  return shards;
}

void check(const TrainingSet& data, Supervision needed, Threads threads, bool two_encoders) {
  require(two_encoders || !data.two_views(),
          "this method learns one encoder, for items and queries alike; structhash learns two for "
          "queries of another kind");
  ensure(data.x.rows() >= 1, "features: there are no rows to learn from");
  ensure(data.x.cols() >= 1, "features: there are no columns to learn from");
  if (!data.finite) {
    require_finite(data.x, "features", threads);
    require_finite(data.queries, "query features", threads);
  }
  check_sizes(data.x, "features");
  if (data.two_views()) {
    check_sizes(data.queries, "query features");
  }
  ensure(
      data.labels.empty() || data.labels.size() == data.rows(),
      fmt::format("labels: there are {} for {} rows of features", data.labels.size(), data.rows()));
  check_lists(data.lists, data.rows());
  const auto one_sided = std::ranges::find_if(data.lists, [](const RelevanceList& list) {
    return list.relevant.empty() || list.irrelevant.empty();
  });
  ensure(one_sided == data.lists.end(),
         fmt::format("relevance list {} needs at least one relevant and one irrelevant item",
                     one_sided - data.lists.begin() + 1));
  if (needed == Supervision::labels) {
    ensure(!data.labels.empty(), "labels: this method learns from labels, and there are none");
    ensure(distinguishes_rows(data.labels),
           "labels: all rows have the same, so there is nothing to learn; at least two classes "
           "are needed");
  }
  if (needed == Supervision::lists) {
    ensure(!data.lists.empty(),
           "relevance lists: this method learns from labels or judgments, and there are none, or "
           "no query has both relevant and irrelevant items");
  }
}

}  // namespace structhash
