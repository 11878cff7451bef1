#include "reference/interleaving.hpp"

#include "structhash/core/error.hpp"

namespace structhash::reference {

double score(const GainTable& gains, const Interleaving& y) {
  require(y.before.size() == gains.relevant(), "score: one count per relevant item is needed");
  double sum = 0.0;
  for (Index j = gains.relevant(); j >= 1; --j) {  // small gains first: fewer digits are lost
    sum += gains(j, y.before(j - 1));
  }
  return sum;
}

double loss(const GainTable& gains, const Interleaving& y) {
  return 1.0 - score(gains, y);
}

}  // namespace structhash::reference
