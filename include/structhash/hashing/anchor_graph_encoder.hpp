#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "structhash/core/container.hpp"
#include "structhash/core/types.hpp"

namespace structhash {

/// The anchors nearest to some rows: `neighbours` per row, nearest first; of two equally near, the
/// first.
struct NearestAnchors {
  std::vector<std::int32_t> anchors;
  std::vector<double> squared_distances;
};

/// The same for any batch and processor.
NearestAnchors nearest_anchors(const Matrix<float>& anchors, Index neighbours, const MatrixView& x);

/// How much a row belongs to each of its nearest anchors (docs/methods.md C.4),
///
///   z_j = exp(-gamma ||x - anchor_j||^2) / (the same summed over the nearest)
std::vector<double> anchor_weights(const NearestAnchors& near, Index neighbours, double gamma);

/// Thresholds on smooth functions over the graph.  With y = coefficients.row(columns[b]) . z, z
/// being zero at all other anchors,
///
///   bit b of x is [ y > high[b] ] where y > 0, and [ y < low[b] ] elsewhere
///
/// so that low = the lowest number makes a plain threshold at or above zero, and high = the largest
/// one, turned round, below zero.
struct AnchorGraphEncoder {
  static constexpr std::string_view kName = "anchor-graph";

  Matrix<float> anchors;              // anchors x dimension
  Index neighbours = 1;               // how many of them a row belongs to
  float gamma = 1.0F;                 // > 0
  Matrix<float> coefficients;         // functions x anchors
  std::vector<std::int32_t> columns;  // bits: rows of the coefficients
  std::vector<float> low;             // bits
  std::vector<float> high;            // bits

  Index bits() const { return static_cast<Index>(columns.size()); }
  Index dimension() const { return anchors.cols(); }
  void check() const;
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static AnchorGraphEncoder load(const Container& file);

  bool operator==(const AnchorGraphEncoder& other) const;
};

}  // namespace structhash
