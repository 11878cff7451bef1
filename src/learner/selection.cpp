#include "structhash/learner/selection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "learner/checkpoint.hpp"
#include "learner/leave_one_out.hpp"
#include "learner/paired_lead.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/suggest.hpp"
#include "structhash/hashing/families/kernel.hpp"
#include "structhash/hashing/families/linear.hpp"
#include "structhash/hashing/families/stump.hpp"
#include "structhash/hashing/families/tree.hpp"
#include "structhash/learner/validation.hpp"
#include "structhash/ranking/measures.hpp"
#include "structhash/ranking/training_loss.hpp"

namespace structhash {
namespace {

constexpr double kTrialGap = 0.1;         // how roughly the weights of trial codes are learned
constexpr Index kMostValidation = 1'000;  // held-out queries
constexpr int kMostStrides = 3;           // beyond the end of a grid
constexpr Index kFewestLists = 100;       // of fewer a fifth tells candidates apart by luck alone
/// Kernel functions of more rows need less holding back: the ridge falls as 1 / rows, C grows with
/// their root.  Their defaults stand for 2,000 rows or fewer (docs/adr/0009).
double times_two_thousand(Index rows) {
  return std::max(1.0, real(rows) / 2000.0);
}

ChosenParams defaults(const StructHashParams& params, Index rows) {
  const double more = times_two_thousand(rows);
  const bool kernel = params.functions == "kernel";
  return {.trade_off = params.trade_off.value_or(kernel ? 10.0 * std::sqrt(more) : 30.0),
          .ridge = params.ridge.value_or(kernel ? 6e-5 / more : 0.02),
          .penalty = params.penalty.value_or(kernel ? 0.3 : 0.2),
          .width = params.width.value_or(0.25),
          .shrinkage = params.shrinkage.value_or(kernel ? 1.0 : 0.5)};
}

KernelFamilyParams kernel_params(const StructHashParams& params, const ChosenParams& chosen) {
  return {.anchors = params.anchors,
          .width = chosen.width,
          .self_response = params.self_response,
          .linear = {.ridge = chosen.ridge, .power = 1.0}};
}

/// One open parameter: where it is kept and which values are tried.
struct Axis {
  double ChosenParams::* value;
  std::vector<double> grid;
  double above = 0.0;   // no value is as small as this
  double errors = 2.0;  // by how many standard errors another value must be better
};

/// The ridge comes first: the best one differs by a factor of 100 between data sets, and what the
/// others are worth depends on it.  They serve most sets as they are, and must show more.
std::vector<Axis> open_axes(const StructHashParams& params, Index rows, bool labelled,
                            bool ridge_known) {
  const double more = times_two_thousand(rows);
  const double errors = labelled ? 3.0 : 2.0;
  std::vector<Axis> axes;
  const bool kernel = params.functions == "kernel";
  if (!params.ridge && !ridge_known && (kernel || params.functions == "linear")) {
    axes.push_back({&ChosenParams::ridge,
                    kernel ? std::vector{1e-6 / more, 1e-3 / more} : std::vector{0.005, 0.08}});
  }
  if (kernel && !params.width) {
    axes.push_back({&ChosenParams::width, {0.12, 0.5}, 0.0, errors});
  }
  if (!params.penalty && (kernel || params.functions == "linear")) {
    axes.push_back({&ChosenParams::penalty, kernel ? std::vector{0.1, 1.0} : std::vector{0.05, 0.6},
                    0.0, errors});
  }
  if (!params.trade_off) {
    axes.push_back({&ChosenParams::trade_off,
                    kernel ? std::vector{3.0 * std::sqrt(more), 30.0 * std::sqrt(more)}
                           : std::vector{10.0, 100.0},
                    1.0, errors});
  }
  return axes;
}

double count_lists(const TrainingSet& data, const Shards& shards) {
  const auto count = [&](Index shard, std::span<double> part) {
    part[0] = shard == 0 ? real(std::ssize(data.lists)) : 0.0;  // those of all shards are there
  };
  return shards.sum(1, count)[0];
}

/// What a checkpoint knows already, or what is found now and kept for the next time.
template <typename Known, typename Find, typename Keep>
auto known_or_found(const Known& known, const Find& find, const Keep& keep) {
  if (auto before = known()) {
    return *std::move(before);
  }
  auto found = find();
  keep(found);
  return found;
}

/// Learns on the part that was kept and asks the queries that were held out.
class Trials {
 public:
  Trials(const TrainingSet& data, const Shards& shards, const StructHashParams& params,
         const FitContext& context, Checkpoint* checkpoint, Index total)
      : data_(data),
        params_(params),
        context_(context),
        checkpoint_(checkpoint),
        rows_(shards.all_rows()),
        total_(real(total)),
        held_(hold_out(data, shards, params.validation, kMostValidation, context.seed)),
        shards_(shards_of(held_.part, context)),
        measure_(make_measure(params.measure, validation_share(data, shards))),
        lists_(held_.part.lists, *training_measure(params, held_.part, shards_), shards_) {}

  void expect_more(Index trials) { total_ += real(trials); }

  Index queries() const { return std::ssize(held_.validation); }

  TrialCode learn_with(const ChosenParams& chosen, Index bits, double gap, Threads threads) {
    const auto family = make_family(held_.part.x, shards_, params_, chosen, context_.seed, threads);
    LearnerParams learner = params_.learner;
    learner.bootstrap = uses_bootstrap(params_, chosen, rows_);
    learner.bits = bits;
    learner.trade_off = chosen.trade_off;
    learner.weights.gap = std::max(learner.weights.gap, gap);
    const LearnedCode code =
        learn(lists_, *family, learner, context_.seed, threads,
              [&](const Progress& bit) { return tell(bit.done == bit.total ? 1.0 : 0.0); });
    const Matrix<float>& asked = shards_.cut() ? held_.asked : data_.x;
    return {encode(family->assemble(code.bits), asked, threads), code.weights};
  }

  std::vector<double> ask(const TrialCode& outcome, double shrinkage, Threads threads) const {
    return scores(*measure_, held_.validation, outcome.codes,
                  shrunk_weights(outcome.weights, shrinkage), threads);
  }

  /// Scores of short codes for several candidates, side by side: one thread each.  Where the rows
  /// are cut, one after the other: all processes must do the same at the same time.
  std::vector<std::vector<double>> try_out(std::span<const ChosenParams> candidates) {
    std::vector<std::vector<double>> results(candidates.size());
    // Shorter codes would do with weaker regularisation than the codes that are wanted.
    const Index bits = std::max<Index>(1, params_.learner.bits * 3 / 4);
    const Threads outside = shards_.cut() ? context_.threads.one() : context_.threads;
    const Threads inside = shards_.cut() ? context_.threads : context_.threads.one();
    parallel_for(std::ssize(candidates), outside, 1, [&](Index at, Index) {
      const ChosenParams& candidate = candidates[static_cast<std::size_t>(at)];
      const auto learn_and_ask = [&] {
        return ask(learn_with(candidate, bits, kTrialGap, inside), candidate.shrinkage, inside);
      };
      results[static_cast<std::size_t>(at)] =
          checkpoint_ == nullptr
              ? learn_and_ask()
              : known_or_found([&] { return checkpoint_->trial(candidate); }, learn_and_ask,
                               [&](const auto& found) { checkpoint_->keep({candidate, found}); });
    });
    return results;
  }

  /// Codes as long as those that are wanted, by which the shrinkage is chosen.
  TrialCode full_code(const ChosenParams& chosen) {
    const auto learn_all = [&] {
      return learn_with(chosen, params_.learner.bits, params_.learner.weights.gap,
                        context_.threads);
    };
    return checkpoint_ == nullptr
               ? learn_all()
               : known_or_found([&] { return checkpoint_->trial_code(); }, learn_all,
                                [&](const auto& found) { checkpoint_->keep(found); });
  }

 private:
  /// Trials run side by side, the user's callback one call at a time.
  bool tell(double finished) {
    const std::scoped_lock lock(mutex_);
    done_ += finished;
    return !context_.on_progress ||
           context_.on_progress({"choosing parameters", done_, total_, ""});
  }

  /// Share of the relevant rows, of all there are, that are held out and asked.
  double validation_share(const TrainingSet& data, const Shards& shards) const {
    if (!shards.cut()) {
      return listed_share(held_.validation, data.labels);
    }
    return std::min(1.0, real(held_.asked.rows()) / real(shards.all_rows()));
  }

  const TrainingSet& data_;
  const StructHashParams& params_;
  const FitContext& context_;
  Checkpoint* checkpoint_;
  Index rows_;  // of the whole, before some were held out
  double total_;
  HoldOut held_;
  Shards shards_;                            // of the part that is learned from
  std::unique_ptr<RankingMeasure> measure_;  // of the held-out queries
  ListTable lists_;
  std::mutex mutex_;
  double done_ = 0.0;
};

/// The best parameters so far, and what is tried against them.
class Contest {
 public:
  Contest(Trials& trials, const ChosenParams& start) : trials_(trials) {
    selection_.chosen = start;
    selection_.validation_queries = trials.queries();
  }

  void choose(const Axis& axis) {
    double before = selection_.chosen.*axis.value;
    try_values(axis, axis.grid);
    for (int step = 0; step < kMostStrides; ++step) {
      const double now = selection_.chosen.*axis.value;
      const auto next = one_stride_on(before, now, axis.above);
      if (!next) {
        break;
      }
      trials_.expect_more(1);
      try_values(axis, std::array{*next});
      before = now;
    }
  }

  void choose_shrinkage(Threads threads) {
    const TrialCode outcome = trials_.full_code(selection_.chosen);
    champion_.clear();
    const auto try_shrinkage = [&](double shrinkage) {
      ChosenParams candidate = selection_.chosen;
      candidate.shrinkage = shrinkage;
      std::vector<double> scores = trials_.ask(outcome, shrinkage, threads);
      const bool better = champion_.empty() || better_weights(scores, champion_);
      challenge(candidate, std::move(scores), better);
    };
    try_shrinkage(selection_.chosen.shrinkage);
    for (const double shrinkage : {1.0, 0.9, 0.75, 0.5, 0.25, 0.0}) {
      if (shrinkage != selection_.chosen.shrinkage) {
        try_shrinkage(shrinkage);
      }
    }
  }

  const Selection& result() const { return selection_; }

 private:
  void challenge(const ChosenParams& candidate, std::vector<double> scores, bool better) {
    selection_.trials.push_back({candidate, mean_of(scores)});
    if (better) {
      champion_ = std::move(scores);
      selection_.chosen = candidate;
    }
  }

  void try_values(const Axis& axis, std::span<const double> values) {
    std::vector<ChosenParams> candidates;
    if (champion_.empty()) {
      candidates.push_back(selection_.chosen);
    }
    for (const double value : values) {
      candidates.push_back(selection_.chosen);
      candidates.back().*axis.value = value;
    }
    auto results = trials_.try_out(candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const bool better = champion_.empty() || better_training(results[i], champion_, axis.errors);
      challenge(candidates[i], std::move(results[i]), better);
    }
  }

  Trials& trials_;
  Selection selection_;
  std::vector<double> champion_;  // the scores of the best
};

/// The values of all grids, the defaults, and the codes by which the shrinkage is chosen.
Index planned_trials(std::span<const Axis> axes, bool with_shrinkage) {
  Index total = with_shrinkage ? 1 : 0;
  for (const Axis& axis : axes) {
    total += std::ssize(axis.grid);
  }
  return axes.empty() ? total : total + 1;
}

}  // namespace

std::optional<double> one_stride_on(double before, double now, double above) {
  const double next = now * (now / before);
  return now != before && next > above ? std::optional(next) : std::nullopt;
}

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

bool uses_bootstrap(const StructHashParams& params, const ChosenParams& chosen, Index rows) {
  const bool noisy = params.trade_off || chosen.trade_off <= defaults(params, rows).trade_off;
  return params.bootstrap.value_or(params.functions == "kernel" && noisy);
}

std::unique_ptr<RankingMeasure> training_measure(const StructHashParams& params,
                                                 const TrainingSet& data, const Shards& shards) {
  const TrainingLoss loss{.listed = listed_share(data, shards), .auc = params.auc_share};
  return make_training_measure(params.measure, loss);
}

std::unique_ptr<HashFamily> make_family(const MatrixView& x, const Shards& shards,
                                        const StructHashParams& params, const ChosenParams& chosen,
                                        Seed seed, Threads threads) {
  SmoothParams smooth = params.smooth;
  smooth.penalty = chosen.penalty;
  if (params.functions == "linear") {
    const LinearFamilyParams linear{.ridge = chosen.ridge, .smooth = smooth};
    return std::make_unique<LinearFamily>(x, shards, linear, threads);
  }
  if (params.functions == "kernel") {
    KernelFamilyParams kernel = kernel_params(params, chosen);
    kernel.linear.smooth = smooth;
    return std::make_unique<KernelFamily>(x, shards, kernel, seed, threads);
  }
  require(!shards.cut() || (params.functions != "stump" && params.functions != "tree"),
          "only linear and kernel functions learn from rows cut into shards");
  if (params.functions == "stump") {
    return std::make_unique<StumpFamily>(x, threads);
  }
  if (params.functions == "tree") {
    return std::make_unique<TreeFamily>(x, TreeFamilyParams{}, threads);
  }
  const std::vector<std::string_view> known{"linear", "kernel", "stump", "tree"};
  fail(Errc::usage, unknown_name("family of hash functions", params.functions, known));
}

Selection choose_params(const TrainingSet& data, const StructHashParams& params,
                        const FitContext& context, Checkpoint* checkpoint) {
  const Shards shards = shards_of(data, context);
  ChosenParams start = defaults(params, shards.all_rows());
  if (count_lists(data, shards) < real(kFewestLists)) {
    return {.chosen = start, .trials = {}};
  }
  const bool labelled = !data.labels.empty();
  const bool by_regression =
      params.functions == "kernel" && !params.ridge && labelled && !shards.cut();
  if (by_regression) {
    const TrainingResponses responses = training_responses(
        data.x, shards, kernel_params(params, start), context.seed, context.threads);
    start.ridge = leave_one_out_ridge(responses.values, data.labels, context.threads);
  }
  const std::vector<Axis> axes = open_axes(params, shards.all_rows(), labelled, by_regression);
  if (axes.empty() && params.shrinkage) {
    return {.chosen = start, .trials = {}};
  }
  Trials trials(data, shards, params, context, checkpoint, planned_trials(axes, !params.shrinkage));
  Contest contest(trials, start);
  for (const Axis& axis : axes) {
    contest.choose(axis);
  }
  if (!params.shrinkage) {
    contest.choose_shrinkage(context.threads);
  }
  return contest.result();
}

}  // namespace structhash
