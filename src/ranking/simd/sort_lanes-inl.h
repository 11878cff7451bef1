// Sorting several lists at once, one per vector lane.  Included once per instruction set by
// Highway's foreach_target; the guard therefore toggles.
#if defined(STRUCTHASH_RANKING_SIMD_SORT_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef STRUCTHASH_RANKING_SIMD_SORT_LANES_INL_H_
#undef STRUCTHASH_RANKING_SIMD_SORT_LANES_INL_H_
#else
#define STRUCTHASH_RANKING_SIMD_SORT_LANES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hwy/highway.h"
#include "ranking/simd/aligned.hpp"
#include "ranking/simd/sorting_network.hpp"

HWY_BEFORE_NAMESPACE();
namespace structhash {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The lists of one block: one per lane of a vector of doubles, eight at most.
inline constexpr size_t kMaxLanes = 8;
using Lists = hn::CappedTag<double, kMaxLanes>;
using ListFloats = hn::Rebind<float, Lists>;
using ListInts = hn::Rebind<int32_t, Lists>;

/// Sorts one group of items (relevant or irrelevant) of every list of a block.
///
/// An item becomes one double, order(distance) * 2^16 + position, where `order` maps floats to
/// integers that ascend with them.  At most 47 bits: exact, never subnormal, and all different, so
/// that minimum and maximum sort distance and position together, ties by position.
class LaneSorter {
 public:
  explicit LaneSorter(size_t items)
      : items_(items),
        network_(simd::sorting_network(items, hn::Lanes(Lists()))),
        group_(simd::filled(items + hn::Lanes(Lists()), 0.0F)),
        row_(simd::filled(items + hn::Lanes(Lists()), 0.0)),
        keys_(simd::filled(items * hn::Lanes(Lists()), 0.0)) {}

  /// Takes the group of one list: its distances in any order.
  void load(const float* distances, size_t lane) {
    const Lists d;
    const ListFloats df;
    const size_t lanes = hn::Lanes(d);
    std::copy_n(distances, items_, group_.get());
    auto position = hn::Iota(d, 0.0);
    for (size_t l = 0; l < items_; l += lanes) {
      // -0 + 0 = +0: the two zeros are one distance.
      const auto distance = hn::Add(hn::Load(df, group_.get() + l), hn::Zero(df));
      const auto integer = hn::PromoteTo(d, order(hn::BitCast(ListInts(), distance)));
      hn::Store(hn::MulAdd(integer, hn::Set(d, kPositions), position), d, row_.get() + l);
      position = hn::Add(position, hn::Set(d, static_cast<double>(lanes)));
    }
    // From a row to a column, one by one: gathers and scatters cost more on most processors.
    double* HWY_RESTRICT keys = keys_.get() + lane;
    const double* HWY_RESTRICT row = row_.get();
    for (size_t l = 0; l < items_; ++l) {
      keys[l * lanes] = row[l];
    }
  }

  /// distances, positions: items x lanes, nearest first.
  void sort(double* HWY_RESTRICT distances, int32_t* HWY_RESTRICT positions) {
    run_network();
    unpack(distances, positions);
  }

 private:
  static constexpr double kPositions = 65'536.0;

  /// Floats as integers in the same order; its own inverse.
  static HWY_INLINE hn::Vec<ListInts> order(hn::Vec<ListInts> bits) {
    const auto negative = hn::ShiftRight<31>(bits);
    return hn::Xor(bits, hn::And(negative, hn::Set(ListInts(), 0x7FFF'FFFF)));
  }

  void run_network() {
    const Lists d;
    double* HWY_RESTRICT keys = keys_.get();
    for (const simd::Comparator comparator : network_) {
      const auto a = hn::Load(d, keys + comparator.low);
      const auto b = hn::Load(d, keys + comparator.high);
      hn::Store(hn::Min(a, b), d, keys + comparator.low);
      hn::Store(hn::Max(a, b), d, keys + comparator.high);
    }
  }

  void unpack(double* HWY_RESTRICT distances, int32_t* HWY_RESTRICT positions) {
    const Lists d;
    const ListFloats df;
    const ListInts di;
    const size_t lanes = hn::Lanes(d);
    for (size_t r = 0; r < items_; ++r) {
      const auto key = hn::Load(d, keys_.get() + r * lanes);
      const auto high = hn::Floor(hn::Mul(key, hn::Set(d, 1.0 / kPositions)));
      const auto low = hn::NegMulAdd(high, hn::Set(d, kPositions), key);
      const auto bits = order(hn::DemoteTo(di, high));
      hn::Store(hn::PromoteTo(d, hn::BitCast(df, bits)), d, distances + r * lanes);
      hn::Store(hn::DemoteTo(di, low), di, positions + r * lanes);
    }
  }

  size_t items_;
  std::vector<simd::Comparator> network_;
  simd::AlignedArray<float> group_;  // one list's items, padded
  simd::AlignedArray<double> row_;   // their keys, padded
  simd::AlignedArray<double> keys_;  // items x lanes
};

}  // namespace HWY_NAMESPACE
}  // namespace structhash
HWY_AFTER_NAMESPACE();

#endif
