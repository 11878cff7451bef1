#include "learner/tuning/tuning.hpp"

#include <algorithm>
#include <array>

#include "learner/tuning/comparison.hpp"
#include "learner/tuning/trials.hpp"

namespace structhash {
namespace {

constexpr int kMaxGridSteps = 3;  // beyond the end of a grid
/// Standard errors by which another dither must be better.  Validation queries rank few rows, and
/// rows near a boundary do less harm among them than in a database (docs/adr/0021).
constexpr double kDitherErrors = 3.0;
constexpr double kShrinkageErrors = 1.0;

/// The incumbent, and the trials of candidates against it.
class Tuner {
 public:
  Tuner(Trials& trials, const Candidate& start)
      : trials_(trials), tuning_{.chosen = start, .validation_queries = trials.queries()} {}

  void tune(const Axis& axis) {
    double before = tuning_.chosen.*axis.value;
    try_values(axis, axis.grid);
    for (int step = 0; step < kMaxGridSteps; ++step) {
      const double now = tuning_.chosen.*axis.value;
      const auto next = next_beyond(before, now, axis.above);
      if (!next) {
        break;
      }
      trials_.expect(1);
      try_values(axis, std::array{*next});
      before = now;
    }
  }

  /// The dither, then the shrinkage, by codes of full length.
  void tune(const PostTraining& values, Threads threads) {
    const TrialCode code = trials_.full_code(tuning_.chosen, values.dithers);
    incumbent_.clear();
    std::size_t best = 0;  // dither
    const auto try_out = [&](std::size_t dither, double shrinkage, double errors) {
      Candidate candidate = tuning_.chosen;
      candidate.dither = values.dithers[dither];
      candidate.shrinkage = shrinkage;
      std::vector<double> scores =
          trials_.score(code.codes[dither], code.weights, shrinkage, threads);
      const bool better = incumbent_.empty() || better_post_training(scores, incumbent_, errors);
      add(candidate, std::move(scores), better);
      return better;
    };
    for (std::size_t dither = 0; dither < values.dithers.size(); ++dither) {
      best = try_out(dither, values.shrinkages[0], kDitherErrors) ? dither : best;
    }
    for (const double shrinkage : std::span(values.shrinkages).subspan(1)) {
      try_out(best, shrinkage, kShrinkageErrors);
    }
  }

  const Tuning& result() const { return tuning_; }

 private:
  void add(const Candidate& candidate, std::vector<double> scores, bool better) {
    tuning_.trials.push_back({candidate, mean_of(scores)});
    if (better) {
      incumbent_ = std::move(scores);
      tuning_.chosen = candidate;
    }
  }

  void try_values(const Axis& axis, std::span<const double> values) {
    std::vector<Candidate> candidates;
    if (incumbent_.empty()) {
      candidates.push_back(tuning_.chosen);
    }
    for (const double value : values) {
      candidates.push_back(tuning_.chosen);
      candidates.back().*axis.value = value;
    }
    auto results = trials_.score(candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const bool better =
          incumbent_.empty() || better_training(results[i], incumbent_, axis.errors);
      add(candidates[i], std::move(results[i]), better);
    }
  }

  Trials& trials_;
  Tuning tuning_;
  std::vector<double> incumbent_;  // its scores
};

/// The values of all grids, the defaults, and the codes for post-training.
Index planned_trials(const SearchSpace& space) {
  Index total = space.post_training.open() ? 1 : 0;
  for (const Axis& axis : space.axes) {
    total += std::ssize(axis.grid);
  }
  return space.axes.empty() ? total : total + 1;
}

}  // namespace

Tuning tune(const TrainingSet& data, const Shards& shards, const Recipe& defaults,
            const SearchSpace& space, const FitContext& context, Checkpoint* checkpoint) {
  if (space.empty()) {
    return {.chosen = defaults.candidate()};
  }
  const Dither dither =
      model_dither(std::ranges::max(space.post_training.dithers), data, shards, context.seed);
  Trials trials(data, shards, defaults, dither, context, checkpoint);
  trials.expect(planned_trials(space));
  Tuner tuner(trials, defaults.candidate());
  for (const Axis& axis : space.axes) {
    tuner.tune(axis);
  }
  if (space.post_training.open()) {
    tuner.tune(space.post_training, context.threads);
  }
  return tuner.result();
}

}  // namespace structhash
