#include "baselines/splh.hpp"

#include <algorithm>
#include <cmath>

#include "baselines/function_hasher.hpp"
#include "baselines/label_groups.hpp"
#include "baselines/lanczos.hpp"
#include "core/linalg.hpp"
#include "hashing/families/response_space.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kLanczosSteps = 60;
constexpr Index kRowGrain = 64;
constexpr double kFade = 1.0;  // power of the soft whitening: variance / (variance + ridge)

/// +1 for pairs of rows with related labels, -1 for the others.
Matrix<float> pair_similarity(const LabelGroups& groups, std::span<const Index> rows) {
  const auto count = std::ssize(rows);
  Matrix<float> similarity(count, count);
  for (Index a = 0; a < count; ++a) {
    for (Index b = 0; b < count; ++b) {
      const auto group = [&](Index i) {
        return groups.group[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])];
      };
      similarity(a, b) = groups.related(group(a), group(b));
    }
  }
  return similarity;
}

/// Scales the negative entries so that both kinds of pairs weigh the same in all.  Of unrelated
/// pairs every bit must leave about half on one side; without this their corrections would soon
/// outweigh the related pairs.
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
/// the next one, by how wrong it was.  p is scaled to mean square 1 and cut to -1..1, so that S
/// changes by about its own size whatever the scale of the data, and no outlier takes over.
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
  Matrix<float> similarity = pair_similarity(groups, rows);
  Matrix<double> variance = product_atb(x, x, context.threads) / to_double(x.rows());
  Matrix<double> directions(params.bits, x.cols());
  for (Index bit = 0; bit < params.bits; ++bit) {
    balance(similarity, context.threads);
    const Matrix<double> agreement =
        product_atb(labelled, product(similarity, labelled, context.threads), context.threads);
    const Matrix<double> m =
        variance + (params.labelled_weight / to_double(labelled.rows())) * agreement;
    const Vector<double> w = top_eigenvector(
        x.cols(), [&](const Vector<double>& v) -> Vector<double> { return m * v; }, kLanczosSteps,
        context.seed.fork("splh").fork(static_cast<std::uint64_t>(bit)));
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

void check(const SplhParams& params) {
  require(params.bits >= 1, "splh: bits must be at least 1");
  require(params.labelled_weight >= 0.0 && std::isfinite(params.labelled_weight),
          "splh: labelled-weight must be a number of at least 0");
  require(params.labelled >= 2 && params.components >= 1,
          "splh: labelled must be at least 2 and components at least 1");
  require(params.step > 0.0 && std::isfinite(params.step), "splh: step must be a positive number");
  check(params.features);
}

HashModel fit_splh(const TrainingSet& data, const SplhParams& params, const FitContext& context) {
  check(params);
  check(data, Supervision::labels, context.threads);
  const LabelGroups groups = group_labels(data.labels);
  const auto learn = [&](const Matrix<float>& z) {
    AffineMap map = fit_soft_whitening(z, params.ridge, kFade, context.threads);
    if (map.matrix.cols() > params.components) {
      map.matrix = Matrix<float>(map.matrix.leftCols(params.components));
    }
    const Matrix<float> x = map.apply(z, context.threads);
    return fold(map, {sequential_projections(x, groups, params, context),
                      Vector<double>::Zero(params.bits)});
  };
  Encoder encoder = fit_on_features(data.x, params.features, context, learn);
  nlohmann::json parameters = describe(params.bits, context.seed, params.features);
  parameters.update({{"labelled_weight", params.labelled_weight},
                     {"step", params.step},
                     {"labelled", params.labelled},
                     {"ridge", params.ridge},
                     {"components", params.components}});
  return {.method = "splh",
          .parameters = parameters.dump(),
          .encoder = std::move(encoder),
          .bit_weights = {}};
}

std::unique_ptr<Hasher> make_splh(const MethodOptions& options) {
  OptionReader reader("splh", options);
  SplhParams params{.bits = options.bits};
  params.features = read_features(reader, params.features);
  params.labelled_weight = reader.number("labelled-weight", params.labelled_weight);
  params.step = reader.number("step", params.step);
  params.labelled = reader.integer("labelled", params.labelled);
  params.ridge = reader.number("ridge", params.ridge);
  params.components = reader.integer("components", params.components);
  reader.finish();
  return make_hasher(params, fit_splh);
}

}  // namespace structhash
