#include "learner/tuning/tuning.hpp"

#include <algorithm>
#include <array>

#include "learner/tuning/comparison.hpp"
#include "learner/tuning/trials.hpp"

namespace structhash {
namespace {

constexpr int kMaxGridSteps = 3;  // beyond the end of a grid
/// Standard errors by which a value must be worse to leave at a quarter of the bits, where codes
/// prefer weaker regularisation, and better to stay from there on.
constexpr double kRaceErrors = 1.0;
/// Standard errors by which another dither must be better.  Validation queries rank few rows, and
/// rows near a boundary do less harm among them than in a database (docs/adr/0021).
constexpr double kDitherErrors = 3.0;
constexpr double kShrinkageErrors = 1.0;

/// Of the codes in a race: a quarter, half and all of the bits.
std::vector<Index> lengths(Index bits) {
  std::vector<Index> all{std::max<Index>(1, bits / 4), std::max<Index>(1, bits / 2), bits};
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

/// The best so far, and the trials of candidates against it.
class Tuner {
 public:
  Tuner(Trials& trials, const Candidate& start)
      : trials_(trials), lengths_(lengths(trials.bits())), best_{.candidate = start} {
    for (const Index bits : lengths_) {
      score(std::span(&best_, 1), bits);
    }
  }

  void tune(const Axis& axis) {
    double before = best_.candidate.*axis.value;
    race(axis, axis.grid);
    for (int step = 0; step < kMaxGridSteps; ++step) {
      const double now = best_.candidate.*axis.value;
      const auto next = next_beyond(before, now, axis.above);
      if (!next) {
        break;
      }
      race(axis, std::array{*next});
      before = now;
    }
  }

  /// The dither, then the shrinkage: other uses of the same training.
  void tune(const PostTraining& values) {
    try_values(&Candidate::dither, values.dithers, kDitherErrors);
    try_values(&Candidate::shrinkage, values.shrinkages, kShrinkageErrors);
  }

  Tuning result() {
    return {.chosen = best_.candidate,
            .trials = std::move(tried_),
            .validation_queries = std::ssize(best_.scores.back())};
  }

 private:
  void score(std::span<Contender> contenders, Index bits) {
    trials_.score(contenders, bits, best_.candidate);
    for (const Contender& each : contenders) {
      tried_.push_back({each.candidate, bits, mean_of(each.scores.back())});
    }
  }

  void race(const Axis& axis, std::span<const double> values) {
    std::vector<Contender> field;
    for (const double value : values) {
      field.push_back({.candidate = best_.candidate});
      field.back().candidate.*axis.value = value;
    }
    for (std::size_t round = 0; round < lengths_.size() && !field.empty(); ++round) {
      field.resize(round == 0 ? field.size() : (field.size() + 1) / 2);
      score(field, lengths_[round]);
      std::erase_if(field, [&](const Contender& each) {
        return round == 0
                   ? better_training(best_.scores[round], each.scores[round], kRaceErrors)
                   : !better_post_training(each.scores[round], best_.scores[round], kRaceErrors);
      });
      std::ranges::stable_sort(field, std::ranges::greater(),
                               [](const Contender& each) { return mean_of(each.scores.back()); });
    }
    if (!field.empty() &&
        better_training(field[0].scores.back(), best_.scores.back(), axis.errors)) {
      best_ = std::move(field[0]);
    }
  }

  /// The first value is the one that the best has.
  void try_values(double Candidate::* member, std::span<const double> values, double errors) {
    for (const double value : values.subspan(1)) {
      const Candidate before = best_.candidate;
      best_.candidate.*member = value;
      score(std::span(&best_, 1), lengths_.back());
      std::vector<double> scores = std::move(best_.scores.back());
      best_.scores.pop_back();
      if (better_post_training(scores, best_.scores.back(), errors)) {
        best_.scores.back() = std::move(scores);
      } else {
        best_.candidate = before;
      }
    }
  }

  Trials& trials_;
  std::vector<Index> lengths_;
  Contender best_;
  std::vector<Trial> tried_;
};

}  // namespace

Tuning tune(const TrainingSet& data, const Shards& shards, const Recipe& defaults,
            const SearchSpace& space, const FitContext& context, Checkpoint* checkpoint) {
  if (space.empty()) {
    return {.chosen = defaults.candidate()};
  }
  const Dither dither = model_dither(std::ranges::max(space.post_training.dithers), data.labels,
                                     shards, context.seed);
  Trials trials(data, shards, defaults, dither, std::ssize(space.axes), context, checkpoint);
  Tuner tuner(trials, defaults.candidate());
  for (const Axis& axis : space.axes) {
    tuner.tune(axis);
  }
  tuner.tune(space.post_training);
  return tuner.result();
}

}  // namespace structhash
