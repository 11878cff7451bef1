#pragma once

#include <map>
#include <memory>
#include <span>

#include "hashing/families/response_space.hpp"
#include "hashing/families/smooth.hpp"
#include "hashing/families/tree.hpp"
#include "hashing/functions.hpp"
#include "hashing/hash_family.hpp"

/// Hash families by name: what StructHash and CGH choose bits from.
namespace structhash {

/// All that decides a family, apart from the training rows and the seed.
struct FamilyRecipe {
  Functions functions = Functions::linear;
  KernelParams kernel{};                 // kernel functions
  TreeFamilyParams tree{};               // tree functions
  double ridge = kLinearDefaults.ridge;  // of the whitening; linear and kernel functions
  bool whitening = true;                 // likewise
  SmoothParams smooth{};                 // how bit functions are found; linear and kernel functions
};
FamilyRecipe default_family(Functions functions);

/// Makes hash families over the rows of one training set, which must outlive it.  A response space
/// is made once per kernel width and shared.
class FamilyFactory {
 public:
  FamilyFactory(const MatrixView& x, const Shards& shards, Seed seed)
      : x_(x), shards_(shards), seed_(seed) {}

  /// Makes the response spaces of these recipes, side by side where the rows are not cut, and
  /// drops all others.  Without recipes: drops all.
  void prepare(std::span<const FamilyRecipe> recipes, Threads threads);

  /// Of a recipe that was prepared; linear and kernel functions.
  const ResponseSpace& space(const FamilyRecipe& recipe) const;

  /// Of a recipe that was prepared.  Several threads may make families at once.
  std::unique_ptr<HashFamily> make(const FamilyRecipe& recipe, Threads threads) const;

 private:
  MatrixView x_;
  Shards shards_;
  Seed seed_;
  std::map<double, std::shared_ptr<const ResponseSpace>> spaces_;  // by kernel width
};

/// One family alone.
std::unique_ptr<HashFamily> make_family(const MatrixView& x, const FamilyRecipe& recipe, Seed seed,
                                        Threads threads);

}  // namespace structhash
