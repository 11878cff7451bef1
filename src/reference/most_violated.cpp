#include "reference/most_violated.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "structhash/core/error.hpp"

namespace structhash::reference {
namespace {

void check_sizes(const GainTable& gains, const VectorView& relevant, const VectorView& irrelevant) {
  require(relevant.size() == gains.relevant() && irrelevant.size() == gains.irrelevant(),
          "most_violated: one distance per item of the gain table is needed");
  require(relevant.allFinite() && irrelevant.allFinite(),
          "most_violated: every distance must be finite");
  require(std::ranges::is_sorted(relevant) && std::ranges::is_sorted(irrelevant),
          "most_violated: the distances of each group must be ascending");
}

Index last_maximum(const Vector<double>& values) {
  Index best = 0;
  for (Index i = 1; i < values.size(); ++i) {
    best = values(i) >= values(best) ? i : best;
  }
  return best;
}

}  // namespace

Interleaving most_violated(const GainTable& gains, const VectorView& relevant,
                           const VectorView& irrelevant) {
  if (!gains.counts_pairs()) {
    return most_violated_programme(gains, relevant, irrelevant);
  }
  check_sizes(gains, relevant, irrelevant);
  return most_violated_pairs(relevant, irrelevant);
}

// Counted in pairs, that is times P N / 2 (docs/methods.md B.2):
//
//   F_0 = 0,   F_j(i) = max_{i' <= i} F_(j-1)(i') + (i d_j - E(i)) - gain(j, i) P N / 2
//   E(i) = e_1 + ... + e_i
//
// In this unit the distance part of float distances is exact in double (a product with a small
// integer, a short sum), so equal distances tie exactly, and a fused multiply-subtract changes no
// bit: the SIMD kernel, which does these operations in this order, agrees on every processor.
Interleaving most_violated_programme(const GainTable& gains, const VectorView& relevant,
                                     const VectorView& irrelevant) {
  check_sizes(gains, relevant, irrelevant);
  const Index P = gains.relevant();
  const Index N = gains.irrelevant();
  Vector<double> nearest_sum(N + 1);  // E
  nearest_sum(0) = 0.0;
  for (Index i = 1; i <= N; ++i) {
    nearest_sum(i) = nearest_sum(i - 1) + irrelevant(i - 1);
  }
  Vector<double> value = Vector<double>::Zero(N + 1);  // F_j: best sum over items 1..j, i_j = i
  Matrix<std::int16_t> previous(P, N + 1);             // the i_(j-1) that reaches it
  for (Index j = 1; j <= P; ++j) {
    double reach = -std::numeric_limits<double>::infinity();  // max of F_(j-1)(0..i)
    Index from = 0;
    for (Index i = 0; i <= N; ++i) {
      if (value(i) >= reach) {
        reach = value(i);
        from = i;
      }
      const double excess = to_double(i) * relevant(j - 1) - nearest_sum(i);
      value(i) = reach + (excess - gains.in_pairs(j, i));
      previous(j - 1, i) = static_cast<std::int16_t>(from);
    }
  }
  Interleaving worst{Vector<Index>(P)};
  Index i = last_maximum(value);
  for (Index j = P; j >= 1; --j) {
    worst.before(j - 1) = i;
    i = previous(j - 1, i);
  }
  return worst;
}

Interleaving most_violated_pairs(const VectorView& relevant, const VectorView& irrelevant) {
  Interleaving worst{Vector<Index>(relevant.size())};
  Index k = 0;
  for (Index j = 0; j < relevant.size(); ++j) {
    while (k < irrelevant.size() && irrelevant(k) <= relevant(j) + 0.5) {
      ++k;
    }
    worst.before(j) = k;
  }
  return worst;
}

}  // namespace structhash::reference
