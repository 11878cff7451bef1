#pragma once
#include <cmath>
#include "structhash/core/types.hpp"
namespace structhash {
inline double paper_discount(Index rank) {
  return rank <= 2 ? 1.0 : 1.0 / std::log2(real(rank));
}
inline double trec_discount(Index rank) {
  return 1.0 / std::log2(real(rank) + 1.0);
}
}  // namespace structhash
