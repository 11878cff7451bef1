#include "baselines/rotation.hpp"

#include <algorithm>

#include "core/decompositions.hpp"
#include "core/linalg.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Orthonormal rows or columns, whichever are fewer, in random directions.
Matrix<double> random_orthonormal(Index rows, Index cols, Seed seed) {
  Rng rng(seed);
  const Index tall = std::max(rows, cols);
  const Index thin = std::min(rows, cols);
  Matrix<double> draws(tall, thin);
  for (double& entry : draws.reshaped<Eigen::ColMajor>()) {
    entry = rng.normal();
  }
  const Matrix<double> basis = orthonormal_basis(draws);
  return rows >= cols ? basis : Matrix<double>(basis.transpose());
}

/// The orthonormal R with the largest tr(R^T c):  c = U D W^T  gives  R = U W^T.
Matrix<double> nearest_orthonormal(const Matrix<double>& c) {
  const SingularVectors svd = singular_vectors(c);
  return svd.left * svd.right;
}

}  // namespace

void check(const RotationParams& params) {
  require(params.iterations >= 0, "iterations must be at least 0");
}

/// Alternates the two halves of the problem, each solved exactly:
///
///   S = sign(v R)                          nearest corner of every point
///   R = U W^T,  v^T S = U D W^T            nearest rotation to the corners (Procrustes)
///
/// so the error never grows; it ends when no sign changes.
Matrix<double> itq_rotation(const MatrixView& v, Index bits, const RotationParams& params,
                            Seed seed, Threads threads, const ProgressCallback& on_progress) {
  check(params);
  require(bits >= 1 && v.cols() >= 1, "a rotation needs at least one column and one bit");
  Matrix<double> rotation = random_orthonormal(v.cols(), bits, seed);
  Matrix<float> signs;
  for (Index round = 0; round < params.iterations; ++round) {
    report(on_progress, {.stage = "rotation",
                         .done = to_double(round),
                         .total = to_double(params.iterations),
                         .detail = {}});
    Matrix<float> turned = product(v, rotation.cast<float>(), threads);
    turned = turned.unaryExpr([](float value) { return value > 0.0F ? 1.0F : -1.0F; });
    if (round > 0 && turned == signs) {
      break;
    }
    signs = std::move(turned);
    rotation = nearest_orthonormal(product_atb(v, signs, threads));
  }
  return rotation;
}

}  // namespace structhash
