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

/// Canonical directions of z, largest correlation first, each times its correlation rho:
///
///   C_zy C_yy^-1 C_yz u = rho^2 C_zz u,    u' C_zz u = 1
///
/// With C_zz = L L' and C_yy = R R', the singular values of L^-1 C_zy R^-T are the rho, and
/// u = L^-T (left singular vector).  features x directions.
Matrix<double> canonical_directions(const Matrix<float>& z, const Matrix<float>& y, double ridge,
                                    Index most, Threads threads) {
  const Cholesky l(ridged_covariance(z, ridge, threads));
  const Cholesky r(ridged_covariance(y, ridge, threads));
  const Matrix<double> cross = product_atb(z, y, threads) / to_double(z.rows());
  const Matrix<double> half = l.lower_solve(cross);
  const Eigen::MatrixXd both = r.lower_solve(half.transpose()).transpose();
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::ColPivHouseholderQRPreconditioner> svd(
      both, Eigen::ComputeThinU);
  const Vector<double>& rho = svd.singularValues();
  Index kept = 1;
  while (kept < std::min<Index>(rho.size(), most) && rho(kept) > 1e-8 * rho(0)) {
    ++kept;
  }
  const Matrix<double> u = l.upper_solve(svd.matrixU().leftCols(kept));
  return u * rho.head(kept).asDiagonal();
}

}  // namespace

/// v = canonical directions of z times their correlations, bits = [ v R > 0 ]  (docs/methods.md
/// C.7)
HashModel fit_cca_itq(const TrainingSet& data, const CcaItqParams& params,
                      const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  Matrix<float> y = label_indicator(data.labels);
  y = (y.rowwise() - y.colwise().mean()).eval();
  const auto learn = [&](const Matrix<float>& z) -> LinearFunctions {
    const Matrix<double> directions =
        canonical_directions(z, y, params.ridge, params.bits, context.threads);
    const Matrix<double> rotation =
        itq_rotation(product(z, directions.cast<float>(), context.threads), params.bits,
                     {.iterations = params.iterations}, context.seed.fork("cca-itq"),
                     context.threads, context.on_progress);
    return {(directions * rotation).transpose(), Vector<double>::Zero(params.bits)};
  };
  Encoder encoder = fit_on_features(data.x, params.features, context, learn);
  return make_model("cca-itq", kCcaItqOptions, params, context.seed, std::move(encoder));
}

}  // namespace structhash
