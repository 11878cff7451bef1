#include "structhash/hashing/families/smooth.hpp"

#include <LBFGS.h>

#include <cmath>
#include <optional>

#include "structhash/core/error.hpp"
#include "structhash/core/linalg.hpp"

namespace structhash {
namespace {

using Point = Eigen::VectorXd;  // direction, then offset

/// Products with fewer entries than this finish before a second thread has started.
constexpr Index kParallelEntries = 4'000'000;

/// The surrogate and its gradient (docs/methods.md A.9), negated: L-BFGS minimises.
class Surrogate {
 public:
  Surrogate(const MatrixView& z, const PairForm& form, int threads)
      : z_(z), form_(form), threads_(threads), response_(z.rows()), product_(z.rows()) {}

  void set_penalty(double penalty) { penalty_ = penalty; }

  /// Z v + offset for every row.
  const Vector<float>& respond(const Point& point) {
    direction_ = point.head(z_.cols()).cast<float>();
    matrix_vector(z_, direction_, response_, threads_);
    response_.array() += static_cast<float>(point(z_.cols()));
    return response_;
  }

  double discrete(const Point& point, std::vector<float>* signs = nullptr) {
    respond(point);
    std::vector<float> s(static_cast<std::size_t>(z_.rows()));
    for (Index row = 0; row < z_.rows(); ++row) {
      s[static_cast<std::size_t>(row)] = response_(row) > 0.0F ? 1.0F : -1.0F;
    }
    const double value = form_.value(s, threads_);
    if (signs != nullptr) {
      *signs = std::move(s);
    }
    return value;
  }

  ///  dF/dv = Z' [ (M s) o (1 - s^2) ]  with s = tanh(Z v + offset)
  double operator()(const Point& point, Point& gradient) {
    respond(point);
    response_ = response_.array().tanh().matrix();
    const auto n = static_cast<std::size_t>(z_.rows());
    form_.multiply({response_.data(), n}, {product_.data(), n}, threads_);
    const double value = 0.5 * response_.cast<double>().dot(product_.cast<double>());
    product_.array() *= 1.0F - response_.array().square();
    transposed_vector(z_, product_, pulled_, threads_);
    gradient.resize(z_.cols() + 1);
    gradient.head(z_.cols()) = -pulled_.cast<double>();
    gradient(z_.cols()) = -product_.cast<double>().sum();
    gradient.head(z_.cols()) += penalty_ * point.head(z_.cols());
    return -value + 0.5 * penalty_ * point.head(z_.cols()).squaredNorm();
  }

  /// Z' M Z v, the operator of the spectral relaxation, offset included.
  Point relaxed(const Point& point) {
    respond(point);
    const auto n = static_cast<std::size_t>(z_.rows());
    form_.multiply({response_.data(), n}, {product_.data(), n}, threads_);
    transposed_vector(z_, product_, pulled_, threads_);
    Point result(z_.cols() + 1);
    result.head(z_.cols()) = pulled_.cast<double>();
    result(z_.cols()) = product_.cast<double>().sum();
    return result;
  }

  /// Scales a point so that its responses have unit mean square; false if they all vanish.
  bool normalise(Point& point) {
    const double mean_square = respond(point).cast<double>().squaredNorm() / real(z_.rows());
    if (!(mean_square > 1e-30)) {
      return false;
    }
    point /= std::sqrt(mean_square);
    return true;
  }

 private:
  const MatrixView& z_;
  const PairForm& form_;
  int threads_;
  double penalty_ = 0.0;
  Vector<float> direction_;
  Vector<float> response_;
  Vector<float> product_;
  Vector<float> pulled_;
};

Point random_point(Index size, Rng& rng) {
  Point point(size);
  for (double& value : point) {
    value = rng.normal();
  }
  return point;
}

/// Top eigenvector of the relaxed form by power steps.  The form has negative eigenvalues too, so
/// it is shifted by its norm estimate once an iterate points at a negative one.
Point spectral_start(Surrogate& surrogate, Index size, int steps, Rng& rng) {
  Point v = random_point(size, rng).normalized();
  double shift = 0.0;
  for (int step = 0; step < steps; ++step) {
    Point next = surrogate.relaxed(v);
    const double rayleigh = v.dot(next);
    shift = std::max(shift, -rayleigh);
    next += shift * v;
    const double norm = next.norm();
    if (!(norm > 0.0)) {
      break;
    }
    v = next / norm;
  }
  return v;
}

}  // namespace

void check(const SmoothParams& params) {
  require(params.penalty >= 0.0 && std::isfinite(params.penalty),
          "penalty must be a number of at least 0");
  require(params.random_starts >= 0 && params.spectral_steps >= 1 && params.max_iterations >= 0,
          "the numbers of starts, steps and iterations must not be negative");
}

LearnedBit fit_smooth_bit(const MatrixView& z, const PairForm& form, const SmoothParams& params,
                          Seed seed, int threads) {
  Surrogate surrogate(z, form, z.size() < kParallelEntries ? 1 : threads);
  Rng rng(seed);
  std::optional<Point> best;
  double best_value = 0.0;
  const auto consider = [&](Point point) {
    if (!surrogate.normalise(point)) {
      return;
    }
    const double value = surrogate.discrete(point);
    if (!best || value > best_value) {
      best_value = value;
      best = std::move(point);
    }
  };
  consider(spectral_start(surrogate, z.cols() + 1, params.spectral_steps, rng));
  for (int start = 0; start < params.random_starts; ++start) {
    consider(random_point(z.cols() + 1, rng));
  }
  require(best.has_value(), "all training features are constant: no hash function separates them");

  Point gradient;
  const double start_value = -surrogate(*best, gradient);
  surrogate.set_penalty(params.penalty * std::max(start_value, 1e-12));
  Point refined = *best;
  LBFGSpp::LBFGSParam<double> options;
  options.m = 8;
  options.max_iterations = params.max_iterations;
  options.epsilon = 1e-9;
  options.epsilon_rel = params.tolerance;
  options.past = 3;
  options.delta = 1e-3;
  options.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_WOLFE;
  LBFGSpp::LBFGSSolver<double, LBFGSpp::LineSearchBracketing> solver(options);
  double value = 0.0;
  try {
    solver.minimize(surrogate, refined, value);
  } catch (const std::exception&) {
    // A line search that finds no further decrease: `refined` holds the last iterate.
  }
  if (refined.allFinite() && surrogate.discrete(refined) > best_value) {
    best = refined;
  }
  LearnedBit bit;
  std::vector<float> signs;
  bit.edge = surrogate.discrete(*best, &signs);
  bit.signs.assign(signs.begin(), signs.end());
  bit.function = LinearFunction{best->head(z.cols()), (*best)(z.cols())};
  return bit;
}

}  // namespace structhash
