#include "hashing/families/make_family.hpp"

#include <vector>

#include "hashing/families/stump.hpp"
#include "hashing/families/whitened.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

FamilyRecipe default_family(Functions functions) {
  const WhitenedDefaults& defaults = defaults_of(functions);
  return {.functions = functions,
          .kernel = {.width = defaults.width},
          .ridge = defaults.ridge,
          .smooth = {.penalty = defaults.penalty,
                     .spectral_steps = defaults.spectral_steps,
                     .max_iterations = defaults.iterations}};
}

FamilyFactory::Spaces FamilyFactory::make_spaces(const FamilyRecipe& recipe,
                                                 Threads threads) const {
  Spaces made;
  const auto add = [&](const MatrixView& x, const Shards& shards, double width, Seed seed) {
    KernelParams kernel = recipe.kernel;
    kernel.width = width;
    if (recipe.functions == Functions::linear) {
      made.emplace_back(x, shards, threads);
    } else {
      made.emplace_back(x, shards, kernel, seed, threads);
    }
  };
  add(x_, queries_ == nullptr ? shards_ : Shards(x_.rows()), recipe.kernel.width, seed_);
  if (queries_ != nullptr) {
    add(*queries_, Shards(queries_->rows()), recipe.query_width, seed_.fork("queries"));
  }
  return made;
}

void FamilyFactory::prepare(std::span<const FamilyRecipe> recipes, Threads threads) {
  std::map<double, std::shared_ptr<const Spaces>> spaces;
  std::vector<const FamilyRecipe*> missing;
  for (const FamilyRecipe& recipe : recipes) {
    if (!kSmoothFunctions.contains(recipe.functions) || spaces.contains(recipe.kernel.width)) {
      continue;
    }
    const auto made = spaces_.find(recipe.kernel.width);
    spaces[recipe.kernel.width] = made == spaces_.end() ? nullptr : made->second;
    if (made == spaces_.end()) {
      missing.push_back(&recipe);
    }
  }
  spaces_ = std::move(spaces);
  // Processes that share the work must make the same spaces in the same order.
  const bool side_by_side = missing.size() > 1 && !shards_.cut();
  const Threads inside = side_by_side ? threads.one() : threads;
  parallel_for(std::ssize(missing), side_by_side ? threads : threads.one(), 1,
               [&](Index at, Index) {
                 const FamilyRecipe& recipe = *missing[static_cast<std::size_t>(at)];
                 spaces_.find(recipe.kernel.width)->second =
                     std::make_shared<const Spaces>(make_spaces(recipe, inside));
               });
}

const ResponseSpace& FamilyFactory::space(const FamilyRecipe& recipe, Index view) const {
  const auto found = spaces_.find(recipe.kernel.width);
  require(found != spaces_.end(), "FamilyFactory: prepare the recipe first");
  return found->second->at(static_cast<std::size_t>(view));
}

std::unique_ptr<HashFamily> FamilyFactory::make(const FamilyRecipe& recipe, Threads threads) const {
  const bool smooth = kSmoothFunctions.contains(recipe.functions);
  require(smooth || !shards_.cut(),
          "only linear and kernel functions can be trained on rows cut into shards");
  require(smooth || queries_ == nullptr,
          "queries of another kind need linear or kernel functions; use one of these");
  if (smooth) {
    Whitening whitening{.ridge = recipe.ridge,
                        .power = defaults_of(recipe.functions).power,
                        .on = recipe.whitening};
    std::vector<View> views{{space(recipe), whitening}};
    if (queries_ != nullptr) {
      whitening.ridge = recipe.query_ridge;
      views.push_back({space(recipe, 1), whitening});
    }
    return std::make_unique<WhitenedFamily>(views, recipe.smooth, threads);
  }
  if (recipe.functions == Functions::stump) {
    return std::make_unique<StumpFamily>(x_, threads);
  }
  return std::make_unique<TreeFamily>(x_, recipe.tree, threads);
}

std::unique_ptr<HashFamily> make_family(const MatrixView& x, const FamilyRecipe& recipe, Seed seed,
                                        Threads threads) {
  FamilyFactory factory(x, Shards(x.rows()), seed);
  factory.prepare(std::span(&recipe, 1), threads);
  return factory.make(recipe, threads);
}

}  // namespace structhash
