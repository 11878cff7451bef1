#include "baselines/cca_itq.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "baselines/label_groups.hpp"
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
Matrix<double> canonical_directions(const RidgedFeatures& features, const Labels& classes,
                                    Index most, Threads threads) {
  Matrix<float> y = label_indicator(classes);
  y = (y.rowwise() - y.colwise().mean()).eval();
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

/// The same for more classes than features, without a matrix of rows or classes x classes.  With
/// the shares p of the classes and D = diag(p) + ridge
///
///   C_yy = D - p p',   C_yy^-1 = D^-1 + (D^-1 p)(D^-1 p)' / (1 - p' D^-1 p)
///
/// and rho^2 are eigenvalues of  H C_yy^-1 H',  H = D_z^-1 C_zy from sums per class.
Matrix<double> directions_of_classes(const RidgedFeatures& features, const LabelGroups& groups,
                                     Index most, Threads threads) {
  const double rows = to_double(features.z.rows());
  const Vector<double> scales = (features.variances.array() + features.ridge).rsqrt();
  Matrix<double> sums = group_sums(groups, features.z);
  Vector<double> shares(groups.count());
  for (Index group = 0; group < groups.count(); ++group) {
    shares(group) = to_double(std::ssize(groups.rows[static_cast<std::size_t>(group)])) / rows;
  }
  const Vector<double> spread = shares.array() + kLabelRidge;
  const Vector<double> pull = shares.cwiseQuotient(spread);
  const Vector<double> common = sums.transpose() * pull;  // C_zy D^-1 p rows: z has mean 0
  sums = spread.cwiseSqrt().cwiseInverse().asDiagonal() * sums;
  const Matrix<float> weighted = sums.cast<float>();
  const Matrix<double> form = product_atb(weighted, weighted, threads) +
                              common * common.transpose() / (1.0 - shares.dot(pull));
  const EigenPairs pairs =
      symmetric_eigen(scales.asDiagonal() * form * scales.asDiagonal(), threads);  // rho^2 rows^2
  const Vector<double> rho = pairs.values.reverse().cwiseMax(0.0).cwiseSqrt();
  Index kept = 1;
  while (kept < std::min<Index>(rho.size(), most) && rho(kept) > 1e-6 * rho(0)) {
    ++kept;
  }
  return scales.asDiagonal() * pairs.vectors.rowwise().reverse().leftCols(kept) *
         (rho.head(kept) / rows).asDiagonal();
}

}  // namespace

/// v = canonical directions of z times their correlations, bits = [ v R > 0 ]  (docs/methods.md
/// C.7)
HashModel fit_cca_itq(const TrainingSet& data, const CcaItqParams& params,
                      const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  const LabelGroups groups = data.labels.is_multi() ? LabelGroups{} : group_labels(data.labels);
  const auto learn = [&](const RidgedFeatures& features) -> LinearFunctions {
    const Matrix<double> directions =
        groups.count() > features.z.cols()
            ? directions_of_classes(features, groups, params.bits, context.threads)
            : canonical_directions(features, data.labels, params.bits, context.threads);
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
