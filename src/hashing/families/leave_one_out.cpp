#include "hashing/families/leave_one_out.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/linalg.hpp"

namespace structhash {
namespace {

constexpr Index kTargets = 32;
constexpr Index kMaxRows = 10'000;  // whose errors are averaged
constexpr Index kRowBlock = 256;    // rows of one task
constexpr Index kWidthRows = 600;   // sampled to compare kernel widths
constexpr std::array kWidths{0.01, 0.03, 0.1, 0.5, 1.0};
constexpr double kMaxErrorShare = 0.9;      // of the error of the default width
constexpr double kMinResidualShare = 1e-6;  // bounds 1 - h from below

/// Random signs of a label, or of a row: the lowest kTargets bits.
std::uint64_t signs_of(std::uint64_t number, Seed seed) {
  return Rng(seed.fork(number)).next();
}

void add_signs(std::uint64_t signs, Eigen::Ref<Matrix<float>> target, float scale = 1.0F) {
  for (float& value : target.reshaped<Eigen::RowMajor>()) {
    value += (signs & 1U) != 0 ? scale : -scale;
    signs >>= 1U;
  }
}

/// Sum over all rows of all shards of  component_i (target - mean).
Matrix<double> moments_of(const ResponseSpace& space, const Matrix<float>& targets,
                          Threads threads) {
  const Matrix<float>& x = space.components();
  const Index columns = x.cols() * targets.cols();
  const std::vector<double> sums =
      space.shards().sum(columns, [&](Index shard, std::span<double> part) {
        const RowRange rows = space.shards().rows(shard);
        Eigen::Map<Matrix<double>>(part.data(), x.cols(), targets.cols()) =
            product_atb(x.middleRows(rows.begin, rows.size()),
                        targets.middleRows(rows.begin, rows.size()), threads);
      });
  return Eigen::Map<const Matrix<double>>(sums.data(), x.cols(), targets.cols());
}

}  // namespace

Matrix<float> partition_targets(const Labels& labels, Seed seed) {
  Matrix<float> targets = Matrix<float>::Zero(labels.size(), kTargets);
  for (Index row = 0; row < labels.size(); ++row) {
    const auto target = targets.middleRows(row, 1);
    if (!labels.is_multi()) {
      const auto label = static_cast<std::uint64_t>(labels.classes[static_cast<std::size_t>(row)]);
      add_signs(signs_of(label, seed), target);
      continue;
    }
    for (Index label = 0; label < labels.multi.cols(); ++label) {
      if (labels.multi(row, label) != 0) {
        add_signs(signs_of(static_cast<std::uint64_t>(label), seed), target);
      }
    }
  }
  return targets;
}

Matrix<float> partition_targets(std::span<const RelevanceList> lists, Index rows, Seed seed) {
  std::vector<std::uint64_t> signs;
  for (Index row = 0; row < rows; ++row) {
    signs.push_back(signs_of(static_cast<std::uint64_t>(row), seed));
  }
  Matrix<float> targets = Matrix<float>::Zero(rows, kTargets);
  for (const RelevanceList& list : lists) {
    const auto items = std::ssize(list.relevant) + std::ssize(list.further);
    const float scale = 1.0F / std::sqrt(static_cast<float>(items));
    for (const std::vector<Index>* part : {&list.relevant, &list.further}) {
      for (const Index item : *part) {
        add_signs(signs[static_cast<std::size_t>(list.query)], targets.middleRows(item, 1));
        add_signs(signs[static_cast<std::size_t>(item)], targets.middleRows(list.query, 1), scale);
      }
    }
  }
  return targets;
}

/// With the components p_i of a row, of variance lambda_i, and their shares w_i, the fit is
///
///   y^ = mean + sum_i p_i w_i / (n lambda_i) sum_rows p_i y
///   h  = 1/n + sum_i w_i p_i^2 / (n lambda_i)
///
/// and the error of the fit to all other rows (y - y^) / (1 - h)  (Allen 1974).
std::vector<double> leave_one_out_errors(const ResponseSpace& space, const Matrix<float>& targets,
                                         std::span<const double> ridges, double power,
                                         Threads threads) {
  const Shards& shards = space.shards();
  const Matrix<float>& components = space.components();
  const Vector<double>& variances = space.spectrum().variances;
  const double n = to_double(shards.all_rows());
  const Vector<float> mean = fit_centre(targets, shards).centre;
  const Matrix<double> moments = moments_of(space, targets, threads);
  Matrix<float> factors(components.cols(), std::ssize(ridges));  // w_i / (n lambda_i)
  Matrix<float> fits(components.cols(), std::ssize(ridges) * targets.cols());
  for (Index at = 0; at < std::ssize(ridges); ++at) {
    const Vector<double> factor =
        shares(variances, {.ridge = ridges[static_cast<std::size_t>(at)], .power = power}).array() /
        (n * variances.array());
    factors.col(at) = factor.cast<float>();
    fits.middleCols(at * targets.cols(), targets.cols()) =
        (factor.asDiagonal() * moments).cast<float>();
  }
  const Index stride = (shards.all_rows() + kMaxRows - 1) / kMaxRows;
  const std::vector<double> sums =
      shards.sum(std::ssize(ridges), [&](Index shard, std::span<double> part) {
        const RowRange range = shards.rows(shard);
        const Index sampled = (range.size() + stride - 1) / stride;
        Matrix<double> squares(sampled, std::ssize(ridges));
        parallel_for(sampled, threads, kRowBlock, [&](Index begin, Index end) {
          Matrix<float> rows(end - begin, components.cols());
          for (Index row = begin; row < end; ++row) {
            rows.row(row - begin) = components.row(range.begin + row * stride);
          }
          Matrix<float> fit(rows.rows(), fits.cols());
          product_into(rows, fits, fit);
          rows.array() *= rows.array();
          Matrix<float> leverage(rows.rows(), factors.cols());
          product_into(rows, factors, leverage);
          for (Index row = begin; row < end; ++row) {
            const auto target = (targets.row(range.begin + row * stride) - mean.transpose()).eval();
            for (Index at = 0; at < factors.cols(); ++at) {
              const double left = 1.0 - 1.0 / n - static_cast<double>(leverage(row - begin, at));
              const auto error =
                  target - fit.block(row - begin, at * targets.cols(), 1, targets.cols());
              squares(row, at) = static_cast<double>(error.squaredNorm()) /
                                 std::pow(std::max(left, kMinResidualShare), 2.0);
            }
          }
        });
        Eigen::Map<Vector<double>>(part.data(), std::ssize(part)) = squares.colwise().sum();
      });
  std::vector<double> errors = sums;
  const double count = n / to_double(stride) * to_double(targets.cols());
  std::ranges::for_each(errors, [&](double& error) { error /= count; });
  return errors;
}

RidgeChoice leave_one_out_ridge(const ResponseSpace& space, const Matrix<float>& targets,
                                double power, Threads threads) {
  std::vector<double> ridges;
  for (int step = 0; step <= 24; ++step) {
    ridges.push_back(std::pow(10.0, -7.0 + step / 4.0));
  }
  const std::vector<double> errors = leave_one_out_errors(space, targets, ridges, power, threads);
  const auto best = std::ranges::min_element(errors);
  return {ridges[static_cast<std::size_t>(best - errors.begin())], *best};
}

AutoTargets::AutoTargets(const Labels& labels, Seed seed)
    : targets(partition_targets(labels, seed.fork("targets"))),
      origin(labels.empty() ? Origin::none : Origin::labels) {}

AutoTargets::AutoTargets(const TrainingSet& data, Seed seed)
    : targets(data.labels.empty() ? partition_targets(data.lists, data.rows(), seed.fork("targets"))
                                  : partition_targets(data.labels, seed.fork("targets"))),
      origin(!data.labels.empty() ? Origin::labels
             : data.reach.empty() ? Origin::judgments
                                  : Origin::neighbours) {}

AutoTargets AutoTargets::of(RowRange rows) const {
  AutoTargets part = *this;
  part.targets = targets.middleRows(rows.begin, rows.size());
  return part;
}

double auto_width(const MatrixView& x, const AutoTargets& by, const KernelParams& params, Seed seed,
                  Threads threads) {
  if (by.origin != AutoTargets::Origin::labels) {
    return params.width;
  }
  const Seed own = seed.fork("width");
  Rng rng(own);
  const std::vector<Index> rows =
      sample_without_replacement(x.rows(), std::min(x.rows(), kWidthRows), rng);
  const Matrix<float> sample = x(rows, Eigen::all);
  const Matrix<float> targets = by.targets(rows, Eigen::all);
  std::vector<double> widths{params.width};
  std::ranges::copy(kWidths, std::back_inserter(widths));
  std::vector<double> errors(widths.size());
  parallel_for(std::ssize(widths), threads, 1, [&](Index at, Index) {
    const auto i = static_cast<std::size_t>(at);
    const KernelParams kernel{.anchors = std::min(params.anchors, kWidthRows / 2),
                              .width = widths[i],
                              .self_response = params.self_response};
    const ResponseSpace space(sample, Shards(sample.rows()), kernel, own, threads.one());
    errors[i] = leave_one_out_ridge(space, targets, kKernelDefaults.power, threads.one()).error;
  });
  const auto best = std::ranges::min_element(errors);
  return *best < kMaxErrorShare * errors[0]
             ? widths[static_cast<std::size_t>(best - errors.begin())]
             : params.width;
}

double auto_regression_ridge(const ResponseSpace& space, const AutoTargets& by, Threads threads) {
  return leave_one_out_ridge(space, by.targets, /*power=*/1.0, threads).ridge;
}

double auto_whitening_ridge(const ResponseSpace& space, const AutoTargets& by, Functions functions,
                            double rule, Threads threads) {
  const bool labels = by.origin == AutoTargets::Origin::labels;
  if (!labels && (functions == Functions::kernel || by.origin == AutoTargets::Origin::neighbours)) {
    return rule;
  }
  const WhitenedDefaults& defaults = defaults_of(functions);
  const double ridge = defaults.ridge_per_regression *
                       leave_one_out_ridge(space, by.targets, defaults.power, threads).ridge;
  return labels ? ridge : std::min(ridge, rule);
}

}  // namespace structhash
