#pragma once

#include <cstdint>
#include <vector>

#include "structhash/core/types.hpp"

/// Anchor graphs: the anchors nearest to a row, and their weights.
namespace structhash {

/// The anchors nearest to some rows: `neighbours` per row, nearest first; of two equally near, the
/// first.
struct NearestAnchors {
  std::vector<std::int32_t> anchors;
  std::vector<double> squared_distances;
};

/// The result is the same for any batch and processor.
NearestAnchors nearest_anchors(const Matrix<float>& anchors, Index neighbours, const MatrixView& x);

/// Weight of each of the nearest anchors of a row (docs/methods.md C.4),
///
///   z_j = exp(-gamma ||x - anchor_j||^2) / (the same summed over the nearest)
std::vector<double> anchor_weights(const NearestAnchors& near, Index neighbours, double gamma);

}  // namespace structhash
