#include "hashing/families/smooth.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "hashing/families/surrogate.hpp"
#include "hashing/lbfgs.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kMinSharedRows = 1024;  // fewer do not keep two threads busy

Point random_point(Index size, Rng& rng) {
  Point point(size);
  for (double& value : point) {
    value = rng.normal();
  }
  return point;
}

Point point_of(const LinearFunction& function) {
  Point point(function.direction.size() + 1);
  point << function.direction, function.offset;
  return point;
}

/// Top eigenvector of the relaxed form by power steps.  The form has negative eigenvalues too:
/// `sure` shifts it by its norm, the slow way; otherwise it is shifted once an iterate points at a
/// negative one, and the last iterate may still do.
///
///   max_v  v' Z'MZ v   subject to   sum_i (v_i / scale_i)^2 = 1
Point spectral_start(Surrogate& surrogate, const Point& scales, int steps, bool sure, Rng& rng) {
  Point v = random_point(scales.size(), rng).normalized();
  double shift = 0.0;
  for (int step = 0; step < steps; ++step) {
    Point next = surrogate.relaxed(v.cwiseProduct(scales)).cwiseProduct(scales);
    shift = std::max(shift, sure ? next.norm() : -v.dot(next));
    next += shift * v;
    const double norm = next.norm();
    if (!(norm > 0.0)) {
      break;
    }
    v = next / norm;
  }
  return v.cwiseProduct(scales);
}

/// A direction, its bits and their F.
struct Start {
  Point point;
  std::vector<float> signs;
  double value;
};

/// Replaces the best by a point whose responses the surrogate has just computed, if its bits are
/// better.
void keep_better(std::optional<Start>& best, const Surrogate& surrogate, Point point) {
  std::vector<float> signs = surrogate.signs();
  const double value = surrogate.discrete(signs);
  if (!best || value > best->value) {
    best = Start{std::move(point), std::move(signs), value};
  }
}

/// Where L-BFGS on the surrogate ends.
Point refine(Surrogate& surrogate, const Point& start, const SmoothParams& params) {
  return minimise([&](const Point& point, Point& gradient) { return surrogate(point, gradient); },
                  start,
                  {.max_iterations = params.max_iterations,
                   .memory = 8,
                   .gradient = 1e-9,
                   .relative_gradient = params.tolerance,
                   .past = 3,
                   .improvement = 1e-3,
                   .line_search = LineSearch::bracketing});
}

}  // namespace

void check(const SmoothParams& params) {
  require(params.penalty >= 0.0 && std::isfinite(params.penalty),
          "penalty must be a number of at least 0");
  require(params.random_starts >= 0 && params.spectral_steps >= 0 && params.max_iterations >= 0,
          "the numbers of starts, steps and iterations must not be negative");
  require(params.tolerance >= 0.0 && std::isfinite(params.tolerance),
          "tolerance must be a number of at least 0");
}

LearnedBit fit_smooth_bit(const HalfMatrix& z, const PairForm& form, const SmoothParams& params,
                          Seed seed, Threads threads, const SmoothStarts& starts) {
  Surrogate surrogate(z, form, z.rows() < kMinSharedRows ? threads.one() : threads);
  Rng rng(seed);
  std::optional<Start> best;
  const auto consider = [&](Point point) {
    if (surrogate.normalise(point)) {
      keep_better(best, surrogate, std::move(point));
    }
  };
  Point scales = Point::Ones(z.cols() + 1);
  scales.head(starts.scales.size()) = starts.scales;
  consider(spectral_start(surrogate, scales, params.spectral_steps, /*sure=*/false, rng));
  if (!best || best->value <= 0.0) {
    consider(spectral_start(surrogate, scales, 3 * params.spectral_steps, /*sure=*/true, rng));
  }
  for (int start = 0; start < params.random_starts; ++start) {
    consider(random_point(z.cols() + 1, rng));
  }
  if (starts.given) {
    consider(point_of(*starts.given));
  }
  require(best.has_value(), "all training features are constant: no hash function separates them");

  surrogate.set_penalty(params.penalty * std::max(surrogate.smooth(best->point), 1e-12));
  if (Point refined = refine(surrogate, best->point, params); refined.allFinite()) {
    surrogate.respond(refined);
    keep_better(best, surrogate, std::move(refined));
  }
  return {.function = LinearFunction{best->point.head(z.cols()), best->point(z.cols())},
          .signs = {best->signs.begin(), best->signs.end()},
          .edge = best->value};
}

std::vector<std::int8_t> smooth_signs(const HalfMatrix& z, const PairForm& form,
                                      const LinearFunction& function, Threads threads) {
  require(function.direction.size() == z.cols(), "the bit function belongs to other features");
  Surrogate surrogate(z, form, threads);
  std::vector<std::int8_t> signs;
  for (const float response : surrogate.respond(point_of(function))) {
    signs.push_back(response > 0.0F ? std::int8_t{1} : std::int8_t{-1});
  }
  return signs;
}

}  // namespace structhash
