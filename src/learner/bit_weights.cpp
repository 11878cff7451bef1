#include "learner/bit_weights.hpp"

#include <numeric>

namespace structhash {

std::vector<float> shrunk_weights(std::span<const double> weights, double shrinkage) {
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  std::vector<float> shrunk;
  for (const double weight : weights) {
    shrunk.push_back(
        mean > 0.0 ? static_cast<float>(((1.0 - shrinkage) * weight + shrinkage * mean) / mean)
                   : 1.0F);
  }
  return shrunk;
}

}  // namespace structhash
