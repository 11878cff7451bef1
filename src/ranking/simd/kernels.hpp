#pragma once

#include <cstddef>
#include <cstdint>

/// The vector kernels behind most_violated_batch, each for the best instruction set at hand.
namespace structhash::simd {

/// Lists of one shape, as most_violated_batch receives them: sizes already checked.
struct ListBatch {
  const float* distances;     // lists x (relevant + irrelevant)
  std::uint16_t* inversions;  // same shape
  double* losses;             // one per list
  std::size_t lists;
  std::size_t relevant;
  std::size_t irrelevant;

  std::size_t items() const { return relevant + irrelevant; }
};

/// AUC: every pair is decided by one comparison.  False when a distance is not finite; the results
/// are then worthless.
bool most_violated_pairs(const ListBatch& batch);

/// Any measure: the dynamic programme, one list per vector lane.  Both tables are P x (N + 1).
/// False as above.
bool most_violated_programme(const ListBatch& batch, const double* gains, const double* pair_gains);

}  // namespace structhash::simd
