#pragma once

#include <vector>

#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/data/dataset.hpp"

namespace structhash {

inline CodeMatrix random_codes(Index rows, Index bits, std::uint64_t seed) {
  Rng rng(Seed{seed});
  CodeMatrix codes(rows, bits);
  for (Index row = 0; row < rows; ++row) {
    for (Index bit = 0; bit < bits; ++bit) {
      codes.set(row, bit, rng.below(2) == 1);
    }
  }
  return codes;
}

inline Labels random_classes(Index rows, Index classes, std::uint64_t seed) {
  Rng rng(Seed{seed});
  Labels labels;
  for (Index row = 0; row < rows; ++row) {
    labels.classes.push_back(static_cast<int>(rng.below(classes)));
  }
  return labels;
}

inline std::vector<float> random_weights(Index bits, std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<float> weights;
  for (Index bit = 0; bit < bits; ++bit) {
    weights.push_back(static_cast<float>(rng.uniform()));
  }
  return weights;
}

}  // namespace structhash
