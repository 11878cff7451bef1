#include "ranking/discount.hpp"

#include <cmath>

namespace structhash {

double discount_standard(Index rank) {
  return 1.0 / std::log2(to_double(rank) + 1.0);
}

double discount_paper(Index rank) {
  return rank <= 2 ? 1.0 : 1.0 / std::log2(to_double(rank));
}

Vector<double> discount_sums(Discount discount, Index ranks) {
  Vector<double> sums(ranks + 1);
  sums(0) = 0.0;
  for (Index rank = 1; rank <= ranks; ++rank) {
    sums(rank) = sums(rank - 1) + discount(rank);
  }
  return sums;
}

}  // namespace structhash
