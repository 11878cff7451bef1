#include "baselines/cca_itq.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "baselines/ridge.hpp"
#include "baselines/rotation.hpp"
#include "core/decompositions.hpp"
#include "core/linalg.hpp"
#include "data/label_indicator.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr double kLabelRidge = 1e-3;  // of the covariance of one-hot labels, which is singular

/// Canonical directions of z, largest correlation first, each times its correlation rho:
///
///   C_zy C_yy^-1 C_yz u = rho^2 C_zz u,    u' C_zz u = 1
///
/// With C_zz = D^2, diagonal, and C_yy = R R', the singular values of D^-1 C_zy R^-T are the rho,
/// and u = D^-1 (left singular vector).  features x directions.
Matrix<double> canonical_directions(const RidgedFeatures& features, const Matrix<float>& y,
                                    Index most, Threads threads) {
  const double rows = to_double(y.rows());
  const Vector<double> scales = (features.variances.array() + features.ridge).rsqrt();
  Matrix<double> labels = product_atb(y, y, threads) / rows;
  labels.diagonal().array() += kLabelRidge;
  const Cholesky r(labels);
  const Matrix<double> half = scales.asDiagonal() * product_atb(features.z, y, threads) / rows;
  const Eigen::MatrixXd both = r.lower_solve(half.transpose()).transpose();
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::ColPivHouseholderQRPreconditioner> svd(
      both, Eigen::ComputeThinU);
  const Vector<double>& rho = svd.singularValues();
  Index kept = 1;
  while (kept < std::min<Index>(rho.size(), most) && rho(kept) > 1e-8 * rho(0)) {
    ++kept;
  }
  return scales.asDiagonal() * svd.matrixU().leftCols(kept) * rho.head(kept).asDiagonal();
}

}  // namespace

/// v = canonical directions of z times their correlations, bits = [ v R > 0 ]  (docs/methods.md
/// C.7)
HashModel fit_cca_itq(const TrainingSet& data, const CcaItqParams& params,
                      const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  Matrix<float> y = label_indicator(data.labels);
  y = (y.rowwise() - y.colwise().mean()).eval();
  const auto learn = [&](const RidgedFeatures& features) -> LinearFunctions {
    const Matrix<double> directions =
        canonical_directions(features, y, params.bits, context.threads);
    const Matrix<double> rotation =
        itq_rotation(product(features.z, directions.cast<float>(), context.threads), params.bits,
                     {.iterations = params.iterations}, context.seed.fork("cca-itq"),
                     context.threads, context.on_progress);
    return {(directions * rotation).transpose(), Vector<double>::Zero(params.bits)};
  };
  return make_model("cca-itq", kCcaItqOptions, params, context.seed,
                    fit_on_components(data, params.features, context, learn));
}

}  // namespace structhash
