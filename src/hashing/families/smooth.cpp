#include "hashing/families/smooth.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/thread_team.hpp"
#include "hashing/families/surrogate.hpp"
#include "hashing/lbfgs.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kRowsPerThread = 512;  // fewer do not keep a thread busy

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

LearnedBit fit_smooth_bit(const MatrixView& z, const PairForm& form, const SmoothParams& params,
                          Seed seed, Threads threads) {
  const Index useful = std::max<Index>(1, z.rows() / kRowsPerThread);
  ThreadTeam team(static_cast<int>(std::min<Index>(threads.count(), useful)));
  Surrogate surrogate(z, form, threads.on(team));
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
  const Point refined = refine(surrogate, *best, params);
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

std::vector<std::int8_t> smooth_signs(const MatrixView& z, const PairForm& form,
                                      const LinearFunction& function, Threads threads) {
  Point point(z.cols() + 1);
  require(function.direction.size() == z.cols(), "the bit function belongs to other features");
  point << function.direction, function.offset;
  Surrogate surrogate(z, form, threads);
  std::vector<std::int8_t> signs;
  for (const float response : surrogate.respond(point)) {
    signs.push_back(response > 0.0F ? std::int8_t{1} : std::int8_t{-1});
  }
  return signs;
}

}  // namespace structhash
