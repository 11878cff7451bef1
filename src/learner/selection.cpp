#include "structhash/learner/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "structhash/core/error.hpp"
#include "structhash/core/suggest.hpp"
#include "structhash/hashing/families/kernel.hpp"
#include "structhash/hashing/families/linear.hpp"
#include "structhash/learner/validation.hpp"
#include "structhash/ranking/measures.hpp"

namespace structhash {
namespace {

constexpr Index kTrialBits = 24;          // of the short codes that are compared
constexpr double kTrialGap = 0.1;         // and how roughly their weights are learned
constexpr Index kMostValidation = 1'000;  // held-out queries

ChosenParams defaults(const StructHashParams& params) {
  const bool kernel = params.functions == "kernel";
  return {.trade_off = params.trade_off.value_or(30.0),
          .ridge = params.ridge.value_or(kernel ? 1e-4 : 0.02),
          .penalty = params.penalty.value_or(kernel ? 0.3 : 0.2),
          .width = params.width.value_or(0.35),
          .shrinkage = params.shrinkage.value_or(0.5)};
}

/// One open parameter: where it is kept and which values are tried.
struct Axis {
  double ChosenParams::* value;
  std::vector<double> grid;
};

std::vector<Axis> open_axes(const StructHashParams& params) {
  std::vector<Axis> axes;
  const bool kernel = params.functions == "kernel";
  if (kernel && !params.width) {
    axes.push_back({&ChosenParams::width, {0.15, 0.7}});
  }
  if (!params.ridge && (kernel || params.functions == "linear")) {
    axes.push_back({&ChosenParams::ridge,
                    kernel ? std::vector{1e-6, 1e-3} : std::vector{0.003, 0.007, 0.05, 0.15}});
  }
  if (!params.penalty && (kernel || params.functions == "linear")) {
    axes.push_back(
        {&ChosenParams::penalty, kernel ? std::vector{0.1, 1.0} : std::vector{0.05, 0.6}});
  }
  if (!params.trade_off) {
    axes.push_back({&ChosenParams::trade_off, {10.0, 100.0}});
  }
  return axes;
}

/// Is `challenger` better than `champion` by more than one standard error, list by list?
bool clearly_better(std::span<const double> challenger, std::span<const double> champion) {
  const auto n = static_cast<double>(challenger.size());
  double mean = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < challenger.size(); ++i) {
    const double difference = challenger[i] - champion[i];
    mean += difference / n;
    squares += difference * difference / n;
  }
  return mean > std::sqrt(std::max(0.0, squares - mean * mean) / n);
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Learns on the part that was kept and asks the queries that were held out.
class Trials {
 public:
  Trials(const TrainingSet& data, const StructHashParams& params, const FitContext& context)
      : data_(data),
        params_(params),
        context_(context),
        measure_(make_measure(params.measure)),
        held_(hold_out(data, params.validation, kMostValidation, context.seed)),
        lists_(held_.part.lists, *measure_, held_.part.x.rows()) {}

  Index queries() const { return std::ssize(held_.validation); }

  struct Outcome {
    CodeMatrix codes;  // of all rows
    std::vector<double> weights;
  };

  Outcome learn_with(const ChosenParams& chosen, Index bits, double gap) const {
    const auto family = make_family(held_.part.x, params_, chosen, context_.seed, context_.threads);
    LearnerParams learner = params_.learner;
    learner.bits = bits;
    learner.trade_off = chosen.trade_off;
    learner.weights.gap = std::max(learner.weights.gap, gap);
    const ProgressCallback stop_only = [&](const Progress&) {
      return !context_.on_progress || context_.on_progress({"choosing parameters", 0, 0, ""});
    };
    const LearnedCode code =
        learn(lists_, *family, learner, context_.seed, context_.threads, stop_only);
    return {encode(family->assemble(code.bits), data_.x, context_.threads), code.weights};
  }

  std::vector<double> ask(const Outcome& outcome, double shrinkage) const {
    return scores(*measure_, held_.validation, outcome.codes,
                  shrunk_weights(outcome.weights, shrinkage), context_.threads);
  }

 private:
  const TrainingSet& data_;
  const StructHashParams& params_;
  const FitContext& context_;
  std::unique_ptr<RankingMeasure> measure_;
  HoldOut held_;
  ListTable lists_;
};

}  // namespace

std::vector<float> shrunk_weights(std::span<const double> weights, double shrinkage) {
  const double mean = mean_of(weights);
  std::vector<float> shrunk;
  for (const double weight : weights) {
    // Without any weight the codes are still compared: by plain Hamming distance.
    shrunk.push_back(
        mean > 0.0 ? static_cast<float>(((1.0 - shrinkage) * weight + shrinkage * mean) / mean)
                   : 1.0F);
  }
  return shrunk;
}

std::unique_ptr<HashFamily> make_family(const MatrixView& x, const StructHashParams& params,
                                        const ChosenParams& chosen, Seed seed, int threads) {
  if (params.functions == "linear") {
    const LinearFamilyParams linear{.ridge = chosen.ridge, .smooth = {.penalty = chosen.penalty}};
    return std::make_unique<LinearFamily>(x, linear, threads);
  }
  if (params.functions == "kernel") {
    const KernelFamilyParams kernel{
        .anchors = params.anchors,
        .width = chosen.width,
        .linear = {.ridge = chosen.ridge, .power = 2.0, .smooth = {.penalty = chosen.penalty}}};
    return std::make_unique<KernelFamily>(x, kernel, seed, threads);
  }
  const std::vector<std::string_view> known{"linear", "kernel"};
  fail(Errc::usage, unknown_name("family of hash functions", params.functions, known));
}

Selection choose_params(const TrainingSet& data, const StructHashParams& params,
                        const FitContext& context) {
  Selection selection{.chosen = defaults(params), .trials = {}};
  const std::vector<Axis> axes = open_axes(params);
  if (axes.empty() && params.shrinkage) {
    return selection;
  }
  const Trials trials(data, params, context);
  selection.validation_queries = trials.queries();
  const Index bits = std::min(params.learner.bits, kTrialBits);
  const auto try_out = [&](const ChosenParams& candidate) {
    const auto scores =
        trials.ask(trials.learn_with(candidate, bits, kTrialGap), candidate.shrinkage);
    selection.trials.push_back({candidate, mean_of(scores)});
    return scores;
  };
  if (!axes.empty()) {
    std::vector<double> champion = try_out(selection.chosen);
    for (const Axis& axis : axes) {
      const ChosenParams start = selection.chosen;
      for (const double value : axis.grid) {
        ChosenParams candidate = start;
        candidate.*axis.value = value;
        std::vector<double> scores = try_out(candidate);
        if (clearly_better(scores, champion)) {
          champion = std::move(scores);
          selection.chosen = candidate;
        }
      }
    }
  }
  if (!params.shrinkage) {
    const auto outcome =
        trials.learn_with(selection.chosen, params.learner.bits, params.learner.weights.gap);
    std::vector<double> champion = trials.ask(outcome, selection.chosen.shrinkage);
    selection.trials.push_back({selection.chosen, mean_of(champion)});
    for (const double shrinkage : {0.75, 1.0, 0.25, 0.0}) {
      std::vector<double> scores = trials.ask(outcome, shrinkage);
      ChosenParams candidate = selection.chosen;
      candidate.shrinkage = shrinkage;
      selection.trials.push_back({candidate, mean_of(scores)});
      if (clearly_better(scores, champion)) {
        champion = std::move(scores);
        selection.chosen = candidate;
      }
    }
  }
  return selection;
}

}  // namespace structhash
