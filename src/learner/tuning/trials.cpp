#include "learner/tuning/trials.hpp"

#include <algorithm>
#include <array>

#include "hashing/training_shards.hpp"
#include "learner/bit_weights.hpp"
#include "learner/label_shares.hpp"
#include "learner/tuning/held_out_scores.hpp"
#include "ranking/training_gains.hpp"

namespace structhash {
namespace {

constexpr double kTrialGap = 0.1;  // of the linear programme in trials of shorter codes
constexpr Index kMaxValidationQueries = 1'000;

}  // namespace

Trials::Trials(const TrainingSet& data, const Shards& shards, const Recipe& recipe,
               const Dither& dither, const FitContext& context, Checkpoint* checkpoint)
    : data_(data),
      shards_(shards),
      recipe_(recipe),
      context_(context),
      checkpoint_(checkpoint),
      dither_(dither),
      fold_(make_fold(data, shards,
                      {.share = recipe.validation, .max_queries = kMaxValidationQueries},
                      context.seed)),
      fold_shards_(shards_of(fold_.training, context)),
      families_(fold_.training.x, fold_shards_, context.seed),
      measure_(make_measure(recipe.measure, validation_share())),
      lists_(fold_.training.lists, *training_measure(recipe, fold_.training, fold_shards_),
             fold_shards_) {}

/// Share of the relevant rows, of all there are, that the validation queries rank.
double Trials::validation_share() const {
  if (!shards_.cut()) {
    return listed_share(fold_.validation, data_.labels);
  }
  return std::min(1.0, to_double(fold_.validation_rows.rows()) / to_double(shards_.all_rows()));
}

/// Trials run side by side, but the callback is called by one thread at a time.
bool Trials::report_trial(double finished) {
  const std::scoped_lock lock(mutex_);
  finished_ += finished;
  return !context_.on_progress ||
         context_.on_progress({"choosing parameters", finished_, expected_, ""});
}

TrialCode Trials::train(const Recipe& recipe, std::span<const double> dithers, Threads threads) {
  const auto family = families_.make(recipe.family, threads);
  const LearnedCode code =
      learn(lists_, *family, recipe.learner,
            {.seed = context_.seed, .threads = threads, .on_progress = [&](const Progress& bit) {
               return report_trial(bit.done == bit.total ? 1.0 : 0.0);
             }});
  const Matrix<float>& ranked = shards_.cut() ? fold_.validation_rows : data_.x;
  TrialCode trained{.codes = {}, .weights = code.weights};
  for (const double size : dithers) {
    Dither dither = dither_;
    dither.size = size;
    trained.codes.push_back(encode(assemble(*family, code.bits, dither), ranked, threads));
  }
  return trained;
}

std::vector<double> Trials::score(const CodeMatrix& codes, std::span<const double> weights,
                                  double shrinkage, Threads threads) const {
  return scores(*measure_, fold_.validation, codes, shrunk_weights(weights, shrinkage), threads);
}

/// Side by side, one thread each.  Where the rows are cut one after the other: all processes must
/// do the same at the same time.
std::vector<std::vector<double>> Trials::score(std::span<const Candidate> candidates) {
  std::vector<std::vector<double>> results(candidates.size());
  std::vector<std::size_t> missing;  // in the checkpoint
  std::vector<Recipe> recipes(candidates.size());
  std::vector<FamilyRecipe> families;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    auto known = checkpoint_ != nullptr ? checkpoint_->trial(candidates[i]) : std::nullopt;
    if (known) {
      results[i] = *std::move(known);
      continue;
    }
    recipes[i] = recipe_.with(candidates[i]);
    // Much shorter codes would prefer weaker regularisation.
    recipes[i].learner.bits = std::max<Index>(1, recipe_.learner.bits * 3 / 4);
    recipes[i].learner.weights.gap = std::max(recipe_.learner.weights.gap, kTrialGap);
    families.push_back(recipes[i].family);
    missing.push_back(i);
  }
  families_.prepare(families, context_.threads);
  const bool cut = fold_shards_.cut();
  const Threads inside = cut ? context_.threads : context_.threads.one();
  parallel_for(std::ssize(missing), cut ? context_.threads.one() : context_.threads, 1,
               [&](Index at, Index) {
                 const std::size_t i = missing[static_cast<std::size_t>(at)];
                 const std::array dither{candidates[i].dither};
                 const TrialCode code = train(recipes[i], dither, inside);
                 results[i] = score(code.codes[0], code.weights, candidates[i].shrinkage, inside);
                 if (checkpoint_ != nullptr) {
                   checkpoint_->add({candidates[i], results[i]});
                 }
               });
  return results;
}

TrialCode Trials::full_code(const Candidate& candidate, std::span<const double> dithers) {
  if (auto known = checkpoint_ != nullptr ? checkpoint_->trial_code() : std::nullopt) {
    return *std::move(known);
  }
  const Recipe recipe = recipe_.with(candidate);
  families_.prepare(std::span(&recipe.family, 1), context_.threads);
  TrialCode code = train(recipe, dithers, context_.threads);
  if (checkpoint_ != nullptr) {
    checkpoint_->set(code);
  }
  return code;
}

}  // namespace structhash
