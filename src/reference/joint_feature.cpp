#include "reference/joint_feature.hpp"

#include "structhash/core/error.hpp"

namespace structhash::reference {

std::vector<std::uint16_t> inversions(const Interleaving& y, Index irrelevant) {
  const Index P = y.before.size();
  std::vector<std::uint16_t> counts;
  counts.reserve(static_cast<std::size_t>(P + irrelevant));
  for (Index j = 0; j < P; ++j) {
    const Index before = y.before(j);
    require(before >= (j == 0 ? 0 : y.before(j - 1)) && before <= irrelevant,
            "inversions: the counts of a ranking must rise from 0 to the number of irrelevant "
            "items at most");
    counts.push_back(static_cast<std::uint16_t>(before));
  }
  // PA_k = #{j : i_j >= k}, k = 1..N; the counts i_j ascend, so one pass over both is enough.
  Index first = 0;  // the first relevant item behind irrelevant item k
  for (Index k = 1; k <= irrelevant; ++k) {
    while (first < P && y.before(first) < k) {
      ++first;
    }
    counts.push_back(static_cast<std::uint16_t>(P - first));
  }
  return counts;
}

Vector<double> joint_coefficients(std::span<const std::uint16_t> inversions, Index relevant,
                                  double weight) {
  const Index items = std::ssize(inversions);
  require(relevant >= 1 && relevant < items,
          "joint_coefficients: a list needs relevant and irrelevant items");
  const double pair = 2.0 * weight / (to_double(relevant) * to_double(items - relevant));
  Vector<double> coefficients(items);
  for (Index l = 0; l < items; ++l) {
    const double count = inversions[static_cast<std::size_t>(l)];
    coefficients(l) = (l < relevant ? pair : -pair) * count;
  }
  return coefficients;
}

}  // namespace structhash::reference
