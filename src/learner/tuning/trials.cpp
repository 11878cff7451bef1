#include "learner/tuning/trials.hpp"

#include <algorithm>

#include "hashing/training_shards.hpp"
#include "learner/bit_weights.hpp"
#include "learner/tuning/held_out_scores.hpp"

namespace structhash {

Trials::Trials(const TrainingSet& data, const Shards& shards, const Recipe& recipe,
               const Dither& dither, Index axes, const FitContext& context, Checkpoint* checkpoint)
    : recipe_(recipe),
      context_(context),
      checkpoint_(checkpoint),
      dither_(dither),
      fold_(make_fold(data, shards, recipe.validation, context.seed)),
      shards_(shards_of(fold_.training, context)),
      families_(fold_.training.x, shards_, context.seed),
      lists_(make_list_table(recipe, fold_.training, shards_)),
      measure_(held_out_measure(recipe.measure, fold_.listed, fold_.validation)),
      expected_(to_double(bits()) * (1.0 + 1.25 * to_double(axes))) {
  for (RelevanceList& list : fold_.validation) {
    list.weight *= class_factor(recipe.class_weight, std::ssize(list.relevant) + 1);
  }
}

/// Trials run side by side, but the callback is called by one thread at a time.
bool Trials::report_bit() {
  const std::scoped_lock lock(mutex_);
  finished_ += 1.0;
  return !context_.on_progress || context_.on_progress({"choosing parameters", finished_,
                                                        std::max(finished_, expected_), ""});
}

void Trials::train(Contender& contender, Index bits, Threads threads) {
  Recipe recipe = recipe_.with(contender.candidate);
  recipe.learner.bits = bits;
  if (!contender.family) {
    contender.family = families_.make(recipe.family, threads);
  }
  LearnContext context{.seed = context_.seed,
                       .threads = threads,
                       .on_progress = [&](const Progress&) { return report_bit(); }};
  LearnerState trained;
  context.on_bit = [&](LearnerState state) { trained = std::move(state); };
  if (contender.state) {
    context.resume = &*contender.state;
  }
  learn(lists_, *contender.family, recipe.learner, context);
  contender.state = std::move(trained);
}

std::vector<double> Trials::score_of(const Contender& contender, Threads threads) const {
  Dither dither = dither_;
  dither.size = contender.candidate.dither;
  const Encoder encoder = assemble(*contender.family, contender.state->code.bits, dither);
  const auto weights =
      shrunk_weights(contender.state->weights.weights, contender.candidate.shrinkage);
  return scores(measure_, fold_.validation, encode(encoder, fold_.rows, threads), weights, threads);
}

/// Side by side, one thread each, where that keeps all threads busy.  Where the rows are cut one
/// after the other: all processes must do the same at the same time.
void Trials::score(std::span<Contender> contenders, Index bits, const Candidate& keep) {
  std::vector<Contender*> missing;  // in the checkpoint
  std::vector<FamilyRecipe> families{recipe_.with(keep).family};
  for (Contender& contender : contenders) {
    auto known =
        checkpoint_ != nullptr ? checkpoint_->trial(contender.candidate, bits) : std::nullopt;
    if (known) {
      contender.scores.push_back(*std::move(known));
    } else {
      missing.push_back(&contender);
      families.push_back(recipe_.with(contender.candidate).family);
    }
  }
  if (std::ranges::any_of(missing, [](const Contender* each) { return !each->family; })) {
    families_.prepare(families, context_.threads);
  }
  const Threads all = context_.threads;
  const bool side_by_side = std::ssize(missing) >= all.count() && !shards_.cut();
  const Threads inside = side_by_side ? all.one() : all;
  parallel_for(std::ssize(missing), side_by_side ? all : all.one(), 1, [&](Index at, Index) {
    Contender& contender = *missing[static_cast<std::size_t>(at)];
    if (!contender.state || std::ssize(contender.state->code.bits) < bits) {
      train(contender, bits, inside);
    }
    contender.scores.push_back(score_of(contender, inside));
    if (checkpoint_ != nullptr) {
      checkpoint_->add({contender.candidate, bits, contender.scores.back()});
    }
  });
}

}  // namespace structhash
