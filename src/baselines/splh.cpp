#include "baselines/splh.hpp"

#include <algorithm>
#include <cmath>

#include "baselines/label_groups.hpp"
#include "baselines/lanczos.hpp"
#include "baselines/ridge.hpp"
#include "core/linalg.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kSplhLanczosSteps = 60;
constexpr Index kRowGrain = 64;

/// Scales the negative entries so that both kinds of pairs have the same total weight.  Every bit
/// leaves about half of the unrelated pairs on one side; without this scaling their corrections
/// soon outweigh the related pairs.
void balance(Matrix<float>& similarity, Threads threads) {
  const Index chunks = chunk_count(similarity.rows(), kRowGrain);
  Matrix<double> sums = Matrix<double>::Zero(chunks, 2);
  parallel_for(similarity.rows(), threads, kRowGrain, [&](Index begin, Index end) {
    const auto part = similarity.middleRows(begin, end - begin);
    sums(begin / kRowGrain, 0) = part.cwiseMax(0.0F).cast<double>().sum();
    sums(begin / kRowGrain, 1) = -part.cwiseMin(0.0F).cast<double>().sum();
  });
  const double negative = sums.col(1).sum();
  const auto factor = static_cast<float>(negative > 0.0 ? sums.col(0).sum() / negative : 1.0);
  parallel_for(similarity.rows(), threads, kRowGrain, [&](Index begin, Index end) {
    auto part = similarity.middleRows(begin, end - begin);
    part = part.cwiseMax(0.0F) + factor * part.cwiseMin(0.0F);
  });
}

/// S <- S - step p p' where the two disagree in sign: pairs that this bit got wrong weigh more for
/// the next bit.  p is scaled to mean square 1 and clipped to -1..1, so that the change does not
/// depend on the scale of the data, nor on outliers.
void correct(Matrix<float>& similarity, Vector<float> p, double step, Threads threads) {
  const double mean_square = p.cast<double>().squaredNorm() / to_double(p.size());
  p = (p / static_cast<float>(std::sqrt(std::max(mean_square, 1e-30))))
          .cwiseMax(-1.0F)
          .cwiseMin(1.0F);
  p *= static_cast<float>(std::sqrt(step));
  parallel_for(similarity.rows(), threads, kRowGrain, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      float* entries = similarity.row(row).data();
      const float own = p(row);
      for (Index column = 0; column < similarity.cols(); ++column) {
        const float predicted = own * p(column);
        entries[column] -= predicted * entries[column] < 0.0F ? predicted : 0.0F;
      }
    }
  });
}

/// Per bit, over softly whitened features x:
///
///   M = X'X / n + eta X_l' S X_l / l,    w = top eigenvector of M
///   S <- S - p p' where they disagree, p ~ X_l w,    X <- X - (X w) w'
Matrix<double> sequential_projections(const Matrix<float>& x, const LabelGroups& groups,
                                      const SplhParams& params, const FitContext& context) {
  Rng rng(context.seed.fork("splh"));
  std::vector<Index> rows =
      sample_without_replacement(x.rows(), std::min(params.labelled, x.rows()), rng);
  std::ranges::sort(rows);
  const Matrix<float> labelled = x(rows, Eigen::all);
  Matrix<float> similarity = row_similarity(groups, rows);
  Matrix<double> variance = product_atb(x, x, context.threads) / to_double(x.rows());
  Matrix<double> directions(params.bits, x.cols());
  for (Index bit = 0; bit < params.bits; ++bit) {
    balance(similarity, context.threads);
    const Matrix<double> agreement =
        product_atb(labelled, product(similarity, labelled, context.threads), context.threads);
    const Matrix<double> m =
        variance + (params.labelled_weight / to_double(labelled.rows())) * agreement;
    const Vector<double> w = top_eigenvector(
        x.cols(), [&](const Vector<double>& v) -> Vector<double> { return m * v; },
        kSplhLanczosSteps, context.seed.fork("splh").fork(static_cast<std::uint64_t>(bit)));
    Vector<float> projected;
    matrix_vector(labelled, w.cast<float>(), projected, context.threads);
    correct(similarity, projected, params.step, context.threads);
    const Vector<double> along = variance * w;
    const double spread = w.dot(along);
    variance += spread * w * w.transpose() - along * w.transpose() - w * along.transpose();
    directions.row(bit) = w;
    report(context.on_progress, {"training", to_double(bit + 1), to_double(params.bits), {}});
  }
  return directions;
}

}  // namespace

HashModel fit_splh(const TrainingSet& data, const SplhParams& params, const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  const LabelGroups groups = group_labels(data.labels);
  const auto learn = [&](const RidgedFeatures& features) {
    return fit_whitened(features, params.components, [&](const Matrix<float>& x) {
      return LinearFunctions{sequential_projections(x, groups, params, context),
                             Vector<double>::Zero(params.bits)};
    });
  };
  return make_model("splh", kSplhOptions, params, context.seed,
                    fit_on_components(data, params.features, context, learn));
}

}  // namespace structhash
