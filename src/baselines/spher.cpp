#include "baselines/spher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/linalg.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kRowsPerCentre = 5;  // rows whose mean is an initial centre
constexpr Index kBallBlock = 1024;

Matrix<double> initial_centres(const MatrixView& x, Index bits, Seed seed) {
  Rng rng(seed);
  Matrix<double> centres(bits, x.cols());
  for (Index bit = 0; bit < bits; ++bit) {
    const std::vector<Index> rows =
        sample_without_replacement(x.rows(), std::min(kRowsPerCentre, x.rows()), rng);
    centres.row(bit) = x(rows, Eigen::all).cast<double>().colwise().mean();
  }
  return centres;
}

/// ||x_i - c_b||^2, rows x bits.
Matrix<float> squared_distances(const MatrixView& x, const Vector<double>& norms,
                                const Matrix<double>& centres, Threads threads) {
  Matrix<float> distances = product_abt(x, centres.cast<float>(), threads);
  const Vector<double> centre_norms = centres.rowwise().squaredNorm();
  parallel_for(x.rows(), threads, kBallBlock, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const auto products = distances.row(row).cast<double>().array();
      distances.row(row) = (norms(row) + centre_norms.transpose().array() - 2.0 * products)
                               .max(0.0)
                               .cast<float>()
                               .matrix();
    }
  });
  return distances;
}

/// Radius of a ball: the median distance, so that half of the rows lie inside.
Vector<float> median_radii(const Matrix<float>& distances, Threads threads) {
  Vector<float> radii(distances.cols());
  parallel_for(distances.cols(), threads, 1, [&](Index begin, Index end) {
    for (Index bit = begin; bit < end; ++bit) {
      std::vector<float> column(distances.col(bit).begin(), distances.col(bit).end());
      const auto middle = column.begin() + std::ssize(column) / 2;
      std::ranges::nth_element(column, middle);
      const float above = *middle;
      const float below =
          middle == column.begin() ? above : *std::max_element(column.begin(), middle);
      radii(bit) = 0.5F * below + 0.5F * above;
    }
  });
  return radii;
}

struct Balls {
  Matrix<double> centres;
  Vector<float> squared_radii;
  Matrix<double> overlaps;  // o_ij: rows inside both balls
};

Balls measure_balls(const MatrixView& x, const Vector<double>& norms, Matrix<double> centres,
                    Threads threads) {
  const Matrix<float> distances = squared_distances(x, norms, centres, threads);
  Vector<float> radii = median_radii(distances, threads);
  Matrix<float> inside(distances.rows(), distances.cols());
  for (Index row = 0; row < distances.rows(); ++row) {
    inside.row(row) =
        (distances.row(row).array() < radii.transpose().array()).cast<float>().matrix();
  }
  return {std::move(centres), std::move(radii), product_atb(inside, inside, threads)};
}

struct Balance {
  double error;   // mean |o_ij - n/4| over n/4
  double spread;  // standard deviation of o_ij over n/4
};

Balance balance(const Matrix<double>& overlaps, double quarter) {
  double sum = 0.0;
  double squares = 0.0;
  double error = 0.0;
  for (Index i = 0; i < overlaps.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      sum += overlaps(i, j);
      squares += overlaps(i, j) * overlaps(i, j);
      error += std::abs(overlaps(i, j) - quarter);
    }
  }
  const double pairs = 0.5 * to_double(overlaps.rows()) * to_double(overlaps.rows() - 1);
  const double mean = sum / pairs;
  return {error / pairs / quarter,
          std::sqrt(std::max(squares / pairs - mean * mean, 0.0)) / quarter};
}

/// c_i <- c_i + 1/B sum_j 1/2 (o_ij - n/4) / (n/4) (c_i - c_j): balls that share too many rows push
/// each other away, those that share too few attract each other.
Matrix<double> moved_centres(const Balls& balls, double quarter) {
  const Index bits = balls.centres.rows();
  Matrix<double> forces = 0.5 / to_double(bits) * (balls.overlaps.array() / quarter - 1.0);
  forces.diagonal().setZero();
  const Vector<double> totals = forces.rowwise().sum();
  return balls.centres + totals.asDiagonal() * balls.centres - forces * balls.centres;
}

}  // namespace

/// bit = [ ||x - c|| < r ],  half of the rows in every ball, a quarter in every two of them
/// (docs/methods.md C.5).
HashModel fit_spher(const TrainingSet& data, const SpherParams& params, const FitContext& context) {
  check(data, Supervision::none, context.threads);
  const double quarter = 0.25 * to_double(data.x.rows());
  const Vector<double> norms = data.x.cast<double>().rowwise().squaredNorm();
  Balls balls =
      measure_balls(data.x, norms, initial_centres(data.x, params.bits, context.seed.fork("spher")),
                    context.threads);
  for (Index round = 0; round < params.iterations && params.bits > 1; ++round) {
    const Balance now = balance(balls.overlaps, quarter);
    report(context.on_progress,
           {.stage = "training",
            .done = to_double(round),
            .total = to_double(params.iterations),
            .detail = fmt::format("overlap {:.3f} off, spread {:.3f}", now.error, now.spread)});
    if (now.error <= params.mean_tolerance && now.spread <= params.spread_tolerance) {
      break;
    }
    balls = measure_balls(data.x, norms, moved_centres(balls, quarter), context.threads);
  }
  BallEncoder encoder{.centres = balls.centres.cast<float>(),
                      .squared_radii = std::move(balls.squared_radii)};
  return make_model("spher", kSpherOptions, params, context.seed, std::move(encoder));
}

}  // namespace structhash
