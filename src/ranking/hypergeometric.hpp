#pragma once

#include <algorithm>

#include "structhash/core/types.hpp"

namespace structhash {

/// E[value(h)], h = marked items among k drawn without replacement from n of which p are marked.
///
/// The probabilities follow from their ratio  P(h+1)/P(h) = (p-h)(k-h) / ((h+1)(n-p-k+h+1)),
/// walked from the most likely h to both sides and divided by their sum: no factorial overflows.
template <typename Value>
double hypergeometric_mean(Index n, Index p, Index k, Value value) {
  constexpr double kNegligible = 1e-20;
  const Index least = std::max<Index>(0, k - (n - p));
  const Index most = std::min(p, k);
  const auto likely = static_cast<Index>(to_double(k + 1) * to_double(p + 1) / to_double(n + 2));
  const Index mode = std::clamp(likely, least, most);
  const auto ratio = [&](Index h) {
    return to_double(p - h) * to_double(k - h) / (to_double(h + 1) * to_double(n - p - k + h + 1));
  };
  double total = 1.0;
  double sum = value(mode);
  double weight = 1.0;
  for (Index h = mode; h < most && weight > kNegligible; ++h) {
    weight *= ratio(h);
    total += weight;
    sum += weight * value(h + 1);
  }
  weight = 1.0;
  for (Index h = mode; h > least && weight > kNegligible; --h) {
    weight /= ratio(h - 1);
    total += weight;
    sum += weight * value(h - 1);
  }
  return sum / total;
}

}  // namespace structhash
