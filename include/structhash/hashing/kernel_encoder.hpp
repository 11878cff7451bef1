#pragma once

#include <string_view>

#include "structhash/core/container.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/core/shards.hpp"
#include "structhash/core/types.hpp"

namespace structhash {

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

  bool operator==(const KernelEncoder& other) const;
};

/// exp(-gamma ||x_i - anchor_j||^2): rows x anchors.
Matrix<float> kernel_responses(const MatrixView& x, const MatrixView& anchors, double gamma,
                               Threads threads);

/// Where radial basis features are measured from, and how wide they are.
struct RadialBasis {
  Matrix<float> anchors;
  double gamma = 1.0;
};

/// At most `count` rows of x drawn at random, in their order, with
///
///   gamma = 1 / (2 width spread),   spread = mean ||x_i - anchor_j||^2
///
/// width: sigma^2 over the spread; 1 is the rule of KSH (docs/methods.md C.12).
/// Throws Errc::usage when all rows are equal.
RadialBasis draw_radial_basis(const MatrixView& x, Index count, double width, Seed seed);
RadialBasis draw_radial_basis(const MatrixView& x, const Shards& shards, Index count, double width,
                              Seed seed);

}  // namespace structhash
