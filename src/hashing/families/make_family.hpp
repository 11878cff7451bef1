#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

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
  double query_width = kKernelWidth;     // of queries of another kind
  double query_ridge = kLinearDefaults.ridge;  // likewise
};
FamilyRecipe default_family(Functions functions);

/// Makes hash families over the rows of one training set, which must outlive it.  A response space
/// is made once per kernel width and shared.
class FamilyFactory {
 public:
  /// queries: rows of another kind after those of x, which linear and kernel functions can have;
  /// nullptr: none.
  FamilyFactory(const MatrixView& x, const Shards& shards, Seed seed,
                const Matrix<float>* queries = nullptr)
      : x_(x), queries_(queries), shards_(shards), seed_(seed) {}

  /// Makes the response spaces of these recipes, side by side where the rows are not cut, and
  /// drops all others.  Without recipes: drops all.
  void prepare(std::span<const FamilyRecipe> recipes, Threads threads);

  /// Of a recipe that was prepared; linear and kernel functions.  View 1: of the queries.
  const ResponseSpace& space(const FamilyRecipe& recipe, Index view = 0) const;

  /// Of a recipe that was prepared.  Several threads may make families at once.
  std::unique_ptr<HashFamily> make(const FamilyRecipe& recipe, Threads threads) const;

 private:
  using Spaces = std::vector<ResponseSpace>;  // one per view
  Spaces make_spaces(const FamilyRecipe& recipe, Threads threads) const;

  MatrixView x_;
  const Matrix<float>* queries_;
  Shards shards_;
  Seed seed_;
  std::map<double, std::shared_ptr<const Spaces>> spaces_;  // by kernel width
};

/// One family alone.
std::unique_ptr<HashFamily> make_family(const MatrixView& x, const FamilyRecipe& recipe, Seed seed,
                                        Threads threads);

}  // namespace structhash
