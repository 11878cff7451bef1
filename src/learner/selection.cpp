#include "learner/selection.hpp"
#include "hashing/training_shards.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "core/suggest.hpp"
#include "hashing/families/kernel.hpp"
#include "hashing/families/linear.hpp"
#include "hashing/families/stump.hpp"
#include "hashing/families/tree.hpp"
#include "learner/checkpoint.hpp"
#include "learner/leave_one_out.hpp"
#include "learner/paired_lead.hpp"
#include "learner/search_space.hpp"
#include "learner/validation.hpp"
#include "ranking/training_gains.hpp"
#include "ranking/training_loss.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr double kTrialGap = 0.1;        // how roughly the weights of trial codes are learned
constexpr Index kMaxValidation = 1'000;  // held-out queries
constexpr int kMaxStrides = 3;           // beyond the end of a grid
/// By how many standard errors another dither must be better.  Held-out queries rank few rows,
/// among which the doubtful ones are in the way less often than among all to come (docs/adr/0021).
constexpr double kDitherErrors = 3.0;
constexpr double kBitsPerClass = 7.0;  // until the dither has its full size
constexpr double kUsualShare = 0.1;    // of rows relevant to each other, where no labels tell
constexpr Index kMinLists = 100;       // of fewer a fifth tells candidates apart by luck alone
KernelFamilyParams kernel_params(const StructHashParams& params, const ChosenParams& chosen) {
  return {.anchors = params.anchors,
          .width = chosen.width,
          .self_response = params.self_response,
          .linear = {.ridge = chosen.ridge, .power = 1.0}};
}

double count_lists(const TrainingSet& data, const Shards& shards) {
  const auto count = [&](Index shard, std::span<double> part) {
    part[0] =
        shard == 0 ? to_double(std::ssize(data.lists)) : 0.0;  // those of all shards are there
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
         const FitContext& context, Checkpoint* checkpoint, Index total, const Dither& dither)
      : data_(data),
        params_(params),
        context_(context),
        checkpoint_(checkpoint),
        rows_(shards.all_rows()),
        total_(to_double(total)),
        dither_(dither),
        held_(hold_out(data, shards, params.validation, kMaxValidation, context.seed)),
        shards_(shards_of(held_.part, context)),
        measure_(make_measure(params.measure, validation_share(data, shards))),
        lists_(held_.part.lists, *training_measure(params, held_.part, shards_), shards_) {}

  void expect_more(Index trials) { total_ += to_double(trials); }

  Index queries() const { return std::ssize(held_.validation); }

  /// Codes of the rows that are asked, once per dither.
  TrialCode learn_with(const ChosenParams& chosen, std::span<const double> dithers, Index bits,
                       double gap, Threads threads) {
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
    TrialCode outcome{.codes = {}, .weights = code.weights};
    for (const double size : dithers) {
      Dither dither = dither_;
      dither.size = size;
      outcome.codes.push_back(encode(family->assemble(code.bits, dither), asked, threads));
    }
    return outcome;
  }

  std::vector<double> ask(const CodeMatrix& codes, std::span<const double> weights,
                          double shrinkage, Threads threads) const {
    return scores(*measure_, held_.validation, codes, shrunk_weights(weights, shrinkage), threads);
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
        const std::array dither{candidate.dither};
        const TrialCode code = learn_with(candidate, dither, bits, kTrialGap, inside);
        return ask(code.codes[0], code.weights, candidate.shrinkage, inside);
      };
      results[static_cast<std::size_t>(at)] =
          checkpoint_ == nullptr
              ? learn_and_ask()
              : known_or_found([&] { return checkpoint_->trial(candidate); }, learn_and_ask,
                               [&](const auto& found) { checkpoint_->keep({candidate, found}); });
    });
    return results;
  }

  /// Codes as long as those that are wanted, by which dither and shrinkage are chosen.
  TrialCode full_code(const ChosenParams& chosen, std::span<const double> dithers) {
    const auto learn_all = [&] {
      return learn_with(chosen, dithers, params_.learner.bits, params_.learner.weights.gap,
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
    return std::min(1.0, to_double(held_.asked.rows()) / to_double(shards.all_rows()));
  }

  const TrainingSet& data_;
  const StructHashParams& params_;
  const FitContext& context_;
  Checkpoint* checkpoint_;
  Index rows_;  // of the whole, before some were held out
  double total_;
  Dither dither_;  // but for its size
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
    for (int step = 0; step < kMaxStrides; ++step) {
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

  /// What needs no further training: the dither, then the shrinkage.
  void choose_finish(const Finishes& finishes, Threads threads) {
    const TrialCode outcome = trials_.full_code(selection_.chosen, finishes.dithers);
    champion_.clear();
    std::size_t best = 0;  // dither
    const auto beats = [&](std::size_t dither, double shrinkage, double errors) {
      ChosenParams candidate = selection_.chosen;
      candidate.dither = finishes.dithers[dither];
      candidate.shrinkage = shrinkage;
      std::vector<double> scores =
          trials_.ask(outcome.codes[dither], outcome.weights, shrinkage, threads);
      const bool better = champion_.empty() || better_finish(scores, champion_, errors);
      challenge(candidate, std::move(scores), better);
      return better;
    };
    for (std::size_t dither = 0; dither < finishes.dithers.size(); ++dither) {
      best = beats(dither, finishes.shrinkages[0], kDitherErrors) ? dither : best;
    }
    for (const double shrinkage : std::span(finishes.shrinkages).subspan(1)) {
      beats(best, shrinkage, 1.0);
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

/// The values of all grids, the defaults, and the codes by which the finish is chosen.
Index planned_trials(std::span<const Axis> axes, bool with_finish) {
  Index total = with_finish ? 1 : 0;
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

///   bits = 7 (1 / share - 1):  63 for ten classes of the same size
Dither model_dither(double size, const TrainingSet& data, const Shards& shards, Seed seed) {
  if (size == 0.0) {
    return {};
  }
  const double share = data.labels.empty() ? kUsualShare : related_share(data.labels, shards);
  return {.size = size,
          .bits = std::max(1.0, kBitsPerClass * (1.0 / share - 1.0)),
          .seed = seed.fork("dither")};
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
  const bool noisy =
      params.trade_off || chosen.trade_off <= default_params(params, rows, true).trade_off;
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
  const bool labelled = !data.labels.empty();
  ChosenParams start = default_params(params, shards.all_rows(), labelled);
  if (count_lists(data, shards) < to_double(kMinLists)) {
    return {.chosen = start, .trials = {}};
  }
  const bool by_regression =
      params.functions == "kernel" && !params.ridge && labelled && !shards.cut();
  if (by_regression) {
    const TrainingResponses responses = training_responses(
        data.x, shards, kernel_params(params, start), context.seed, context.threads);
    start.ridge = leave_one_out_ridge(responses.values, data.labels, context.threads);
  }
  const std::vector<Axis> axes = open_axes(params, shards.all_rows(), labelled, by_regression);
  const Finishes finishes = open_finishes(params, start);
  if (axes.empty() && !finishes.open()) {
    return {.chosen = start, .trials = {}};
  }
  const Dither largest =
      model_dither(std::ranges::max(finishes.dithers), data, shards, context.seed);
  Trials trials(data, shards, params, context, checkpoint, planned_trials(axes, finishes.open()),
                largest);
  Contest contest(trials, start);
  for (const Axis& axis : axes) {
    contest.choose(axis);
  }
  if (finishes.open()) {
    contest.choose_finish(finishes, context.threads);
  }
  return contest.result();
}

}  // namespace structhash
