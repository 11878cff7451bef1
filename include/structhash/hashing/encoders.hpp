#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "structhash/core/types.hpp"

/// The encoders of model files: plain data, one struct per kind.  `Encoder` (encoder.hpp) is the
/// closed set of them.  `first_bits` is the encoder of the first bits alone, 1 to bits().
namespace structhash {

class Container;
class ContainerWriter;

/// Eq. (17): bit b of x is [ directions.row(b) . x + offsets(b) > 0 ].
struct LinearEncoder {
  static constexpr std::string_view kName = "linear";

  Matrix<float> directions;  // bits x dimension
  Vector<float> offsets;     // bits

  Index bits() const { return directions.rows(); }
  Index dimension() const { return directions.cols(); }
  void check() const;
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static LinearEncoder load(const Container& file);
  LinearEncoder first_bits(Index count) const;

  bool operator==(const LinearEncoder& other) const;
};

/// Linear functions of radial basis responses to anchors (docs/methods.md A.9, kernel variant):
///
///   k_j(x) = exp(-gamma ||x - anchor_j||^2)
///   bit b of x is [ directions.row(b) . k(x) + offsets(b) > 0 ]
struct KernelEncoder {
  static constexpr std::string_view kName = "kernel";

  Matrix<float> anchors;     // anchors x dimension
  float gamma = 1.0F;        // > 0
  Matrix<float> directions;  // bits x anchors
  Vector<float> offsets;     // bits

  Index bits() const { return directions.rows(); }
  Index dimension() const { return anchors.cols(); }
  void check() const;
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static KernelEncoder load(const Container& file);
  KernelEncoder first_bits(Index count) const;

  bool operator==(const KernelEncoder& other) const;
};

/// Decision stumps (docs/methods.md A.9): bit b of x is [ x(columns[b]) > thresholds[b] ].
struct StumpEncoder {
  static constexpr std::string_view kName = "stump";

  Index inputs = 0;                   // columns of the feature vectors
  std::vector<std::int32_t> columns;  // bits; in 0..inputs-1
  std::vector<float> thresholds;      // bits

  Index bits() const { return static_cast<Index>(columns.size()); }
  Index dimension() const { return inputs; }
  void check() const;
  /// x(column) - threshold: a difference of floats is > 0 exactly when it should be.
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static StumpEncoder load(const Container& file);
  StumpEncoder first_bits(Index count) const;

  bool operator==(const StumpEncoder&) const = default;
};

/// Complete binary trees of one depth, one after another.  At inner node i, of 2^depth - 1 in a
/// tree, a row goes from i to 2 i + 1 when x(columns[i]) <= thresholds[i], else to 2 i + 2; below
/// the last level stand 2^depth leaves.
struct TreeTable {
  Index depth = 0;
  std::vector<std::int32_t> columns;  // trees x (2^depth - 1)
  std::vector<float> thresholds;      // trees x (2^depth - 1)
  std::vector<float> leaves;          // trees x 2^depth

  Index leaves_per_tree() const { return Index{1} << depth; }
  Index trees() const { return static_cast<Index>(leaves.size()) / leaves_per_tree(); }
  bool operator==(const TreeTable&) const = default;
};

/// Boosted trees (docs/methods.md C.14): bit b of x is
///
///   [ sum of the leaves that x reaches in trees first_tree[b] .. first_tree[b + 1] - 1  > 0 ]
///
/// summed in float and in order, so that a value depends on its row alone.
struct TreeEncoder {
  static constexpr std::string_view kName = "tree";

  Index inputs = 0;  // columns of the feature vectors
  TreeTable trees;
  std::vector<std::int64_t> first_tree{0};  // bits + 1; ascending from 0 to the number of trees

  Index bits() const { return static_cast<Index>(first_tree.size()) - 1; }
  Index dimension() const { return inputs; }
  void check() const;
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static TreeEncoder load(const Container& file);
  TreeEncoder first_bits(Index count) const;

  bool operator==(const TreeEncoder&) const = default;
};

/// Piecewise linear functions of projections (docs/methods.md C.2, C.3).  With bit b on the
/// projection c = components[b] and its K + 1 knots v_0 .. v_K, equally spaced on [low_c, high_c],
///
///   t = directions.row(c) . x + offsets(c),   cut to [low_c, high_c]
///   u = K (t - low_c) / (high_c - low_c),     j = floor(u), at most K - 1
///   bit b of x is [ v_j + (u - j)(v_(j+1) - v_j) > 0 ]
struct CurveEncoder {
  static constexpr std::string_view kName = "curve";

  Matrix<float> directions;              // components x dimension
  Vector<float> offsets;                 // components
  Vector<float> low;                     // components
  Vector<float> high;                    // components; above low
  std::vector<std::int32_t> components;  // bits
  std::vector<std::int64_t> first_knot;  // bits + 1: knots first_knot[b] .. first_knot[b + 1] - 1
  std::vector<float> knots;              // at least two per bit

  Index bits() const { return static_cast<Index>(components.size()); }
  Index dimension() const { return directions.cols(); }
  void check() const;
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static CurveEncoder load(const Container& file);
  CurveEncoder first_bits(Index count) const;

  bool operator==(const CurveEncoder& other) const;
};

/// Balls (docs/methods.md C.5): bit b of x is [ ||x - centres.row(b)||^2 < squared_radii(b) ].
struct BallEncoder {
  static constexpr std::string_view kName = "ball";

  Matrix<float> centres;        // bits x dimension
  Vector<float> squared_radii;  // bits; at least 0

  Index bits() const { return centres.rows(); }
  Index dimension() const { return centres.cols(); }
  void check() const;
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static BallEncoder load(const Container& file);
  BallEncoder first_bits(Index count) const;

  bool operator==(const BallEncoder& other) const;
};

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
  AnchorGraphEncoder first_bits(Index count) const;

  bool operator==(const AnchorGraphEncoder& other) const;
};

}  // namespace structhash
