#pragma once

#include "core/shards.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/core/types.hpp"

/// Radial basis features: anchors, width, responses.
namespace structhash {

/// exp(-gamma ||x_i - anchor_j||^2): rows x anchors.
Matrix<float> kernel_responses(const MatrixView& x, const MatrixView& anchors, double gamma,
                               Threads threads);

/// a * b^T, summed in slices of kSlice columns (kernel_bounds.hpp).
Matrix<float> sliced_product(const MatrixView& a, const MatrixView& b, Threads threads);

/// Anchors and width of radial basis features.
struct RadialBasis {
  Matrix<float> anchors;
  double gamma = 1.0;
};

/// At most `count` rows drawn at random, in their order.
Matrix<float> random_rows(const MatrixView& x, const Shards& shards, Index count, Seed seed);

/// The width by the rows of x:
///
///   gamma = 1 / (2 width spread),   spread = mean ||x_i - anchor_j||^2
///
/// width: sigma^2 over the spread; 1 is the rule of KSH (docs/methods.md C.12).
/// Throws Errc::usage when all rows are equal.
RadialBasis make_radial_basis(Matrix<float> anchors, const MatrixView& x, const Shards& shards,
                              double width);

/// The anchors are at most `count` random rows or, of four times as many rows and more, the centres
/// of their clusters.
RadialBasis draw_radial_basis(const MatrixView& x, const Shards& shards, Index count, double width,
                              Seed seed, Threads threads);

}  // namespace structhash
