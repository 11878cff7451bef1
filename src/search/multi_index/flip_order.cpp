#include "search/multi_index/flip_order.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <queue>

namespace structhash::search {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Subsets of the bits in order of cost.  With weights in ascending order, every subset but the
/// empty one has one parent that costs no more: remove its last bit if the bit before is in the
/// subset, otherwise replace it by the bit before.  A heap of children yields all in order.
class CheapestSubsets {
 public:
  explicit CheapestSubsets(std::span<const float> bit_weights) : bits_(bit_weights.size()) {
    std::iota(bits_.begin(), bits_.end(), 0U);
    std::ranges::stable_sort(bits_, {}, [&](std::uint32_t bit) { return bit_weights[bit]; });
    for (const std::uint32_t bit : bits_) {
      weights_.push_back(bit_weights[bit]);
    }
    if (!bits_.empty()) {
      push(1U);
    }
  }

  bool empty() const { return waiting_.empty(); }
  double next_cost() const { return empty() ? kInfinity : waiting_.top().cost; }

  /// The bits of the next subset as a mask of the original bits.
  std::uint32_t take() {
    const std::uint32_t subset = waiting_.top().subset;
    waiting_.pop();
    const std::uint32_t last = std::bit_floor(subset);
    const std::uint32_t following = last << 1U;
    if (following < (std::uint32_t{1} << bits_.size())) {
      push(subset | following);
      push((subset ^ last) | following);
    }
    return original(subset);
  }

 private:
  struct Entry {
    double cost;
    std::uint32_t subset;
    auto operator<=>(const Entry&) const = default;
  };

  /// Sums in ascending order of bits: rounding then never puts a child before its parent, and
  /// subsets of equal weights cost exactly the same.
  void push(std::uint32_t subset) {
    double cost = 0.0;
    for (std::uint32_t rest = subset; rest != 0; rest &= rest - 1) {
      cost += weights_[static_cast<std::size_t>(std::countr_zero(rest))];
    }
    waiting_.push({cost, subset});
  }

  std::uint32_t original(std::uint32_t subset) const {
    std::uint32_t mask = 0;
    for (; subset != 0; subset &= subset - 1) {
      mask |= std::uint32_t{1} << bits_[static_cast<std::size_t>(std::countr_zero(subset))];
    }
    return mask;
  }

  std::vector<std::uint32_t> bits_;  // by ascending weight
  std::vector<double> weights_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting_;
};

}  // namespace

FlipOrder make_flip_order(std::span<const float> bit_weights, std::size_t max_masks) {
  CheapestSubsets subsets(bit_weights);
  FlipOrder order{.masks = {0}, .steps = {}};  // nothing flipped costs nothing
  std::size_t begin = 0;
  double cost = 0.0;
  while (order.masks.size() < max_masks && !subsets.empty()) {
    const double next = subsets.next_cost();
    const bool long_enough = order.masks.size() >= begin + std::max<std::size_t>(1, begin / 8);
    if (next > cost && long_enough) {
      begin = order.masks.size();
      order.steps.push_back({begin, next});
    }
    cost = next;
    order.masks.push_back(subsets.take());
  }
  order.steps.push_back({order.masks.size(), subsets.next_cost()});
  return order;
}

}  // namespace structhash::search
