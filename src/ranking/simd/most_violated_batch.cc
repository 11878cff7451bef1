#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "ranking/simd/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ranking/simd/most_violated_batch.cc"
#include "hwy/foreach_target.h"  // compiles the rest of this file once per instruction set
#include "hwy/highway.h"
#include "ranking/simd/aligned.hpp"
#include "ranking/simd/finite-inl.h"
#include "ranking/simd/sort_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace structhash {
namespace HWY_NAMESPACE {

/// The dynamic programme of most_violated_programme (docs/methods.md B.2), one list per lane.
///
///   F_0 = 0,   F_j(i) = max_{i' <= i} F_(j-1)(i') + (i d_j - E(i)) - gain(j, i) P N / 2
///
/// Three things make it fast:
///   - up to four rows in one sweep over i: F_(j+1)(i) follows F_j(i) in registers, and the running
///     maxima of the rows are independent chains that hide each other's latency;
///   - the way back costs one bit per cell: "is F_j(i) a record", at least as large as everything
///     before it.  The best i' <= i is the last record at or before i, which also gives ties to
///     the larger i';
///   - lists are sorted in their lanes by a network, without a branch.
/// Every operation keeps the order of the scalar programme, and i * d_j is exact, so that fused or
/// not the bits are the same.
class Programme {
 public:
  Programme(const simd::ListBatch& batch, const double* gains, const double* pair_gains)
      : batch_(batch),
        gains_(gains),
        pair_gains_(pair_gains),
        P_(batch.relevant),
        N_(batch.irrelevant),
        words_(N_ / 64 + 1),
        sort_relevant_(P_),
        sort_irrelevant_(N_),
        relevant_(simd::filled(P_ * lanes(), 0.0)),
        nearest_sum_(simd::filled((N_ + 1) * lanes(), 0.0)),
        numbers_(simd::filled(N_ + 1, 0.0)),
        value_(simd::filled((N_ + 1) * lanes(), 0.0)),
        relevant_items_(simd::filled(P_ * lanes(), int32_t{0})),
        irrelevant_items_(simd::filled(N_ * lanes(), int32_t{0})),
        flags_(simd::filled(kRows * words_ * 64, uint8_t{0})),
        records_(simd::filled((P_ + 1) * lanes() * words_, uint64_t{0})),
        ends_(simd::filled((N_ + 1) * lanes(), uint32_t{0})) {
    std::iota(numbers_.get(), numbers_.get() + N_ + 1, 0.0);
  }

  static HWY_INLINE size_t lanes() { return hn::Lanes(Lists()); }

  /// Lists first .. first + count - 1, one per lane; count is at most lanes().
  void run(size_t first, size_t count) {
    sort(first, count);
    forward();
    if (words_ == 1) {
      way_back<true>(first, count);
    } else {
      way_back<false>(first, count);
    }
    for (size_t lane = 0; lane < count; ++lane) {
      write_irrelevant(lane, batch_.inversions + (first + lane) * batch_.items() + P_);
    }
  }

 private:
  static constexpr size_t kRows = 4;
  using Value = hn::Vec<Lists>;

  /// Both groups of every list nearest first, and E(i) = e_1 + ... + e_i.
  void sort(size_t first, size_t count) {
    const Lists d;
    for (size_t lane = 0; lane < count; ++lane) {  // idle lanes keep an older list
      const float* list = batch_.distances + (first + lane) * batch_.items();
      sort_relevant_.load(list, lane);
      sort_irrelevant_.load(list + P_, lane);
    }
    double* sums = nearest_sum_.get() + lanes();
    sort_relevant_.sort(relevant_.get(), relevant_items_.get());
    sort_irrelevant_.sort(sums, irrelevant_items_.get());
    Value sum = hn::Zero(d);
    for (size_t k = 0; k < N_; ++k) {
      sum = hn::Add(sum, hn::Load(d, sums + k * lanes()));
      hn::Store(sum, d, sums + k * lanes());
    }
  }

  /// One cell of row j: takes F_(j-1)(i), flags it if it is a record, and returns F_j(i).
  static HWY_INLINE Value cell(Value below, Value& reach, Value distance, Value i,
                               Value nearest_sum, Value gain, uint8_t* flag) {
    hn::StoreMaskBits(Lists(), hn::Ge(below, reach), flag);
    reach = hn::Max(reach, below);
    return hn::Add(reach, hn::Sub(hn::MulSub(i, distance, nearest_sum), gain));
  }

  /// Rows j .. j + kCount - 1, from F_(j-1) to F_(j+kCount-1), and the records of all but the last.
  /// Row P + 1 has no items: it is there for the records of F_P, with any distance and gain.
  template <size_t kCount>
  void sweep(size_t j) {
    static_assert(kCount >= 1 && kCount <= kRows);
    const Lists d;
    const size_t columns = N_ + 1;
    const size_t stride = words_ * 64;
    const auto row = [&](size_t number) HWY_ATTR { return HWY_MIN(j + number, P_) - 1; };
    const double* HWY_RESTRICT gain0 = pair_gains_ + row(0) * columns;
    const double* HWY_RESTRICT gain1 = pair_gains_ + row(1) * columns;
    const double* HWY_RESTRICT gain2 = pair_gains_ + row(2) * columns;
    const double* HWY_RESTRICT gain3 = pair_gains_ + row(3) * columns;
    const double* HWY_RESTRICT sums = nearest_sum_.get();
    const double* HWY_RESTRICT numbers = numbers_.get();
    double* HWY_RESTRICT value = value_.get();
    uint8_t* HWY_RESTRICT flag = flags_.get();
    const Value d0 = hn::Load(d, relevant_.get() + row(0) * lanes());
    const Value d1 = hn::Load(d, relevant_.get() + row(1) * lanes());
    const Value d2 = hn::Load(d, relevant_.get() + row(2) * lanes());
    const Value d3 = hn::Load(d, relevant_.get() + row(3) * lanes());
    Value reach0 = hn::Set(d, -std::numeric_limits<double>::infinity());
    Value reach1 = reach0;
    Value reach2 = reach0;
    Value reach3 = reach0;
    for (size_t i = 0; i < columns; ++i) {
      // All loads before the first store of a flag: bytes may alias anything, and a load that must
      // stay behind one is not folded into a broadcast.
      const Value number = hn::Set(d, numbers[i]);
      const Value sum = hn::Load(d, sums + i * lanes());
      const Value g0 = hn::Set(d, gain0[i]);
      const Value g1 = hn::Set(d, gain1[i]);
      const Value g2 = hn::Set(d, gain2[i]);
      const Value g3 = hn::Set(d, gain3[i]);
      Value v = hn::Load(d, value + i * lanes());
      v = cell(v, reach0, d0, number, sum, g0, flag + i);
      if constexpr (kCount > 1) {
        v = cell(v, reach1, d1, number, sum, g1, flag + stride + i);
      }
      if constexpr (kCount > 2) {
        v = cell(v, reach2, d2, number, sum, g2, flag + 2 * stride + i);
      }
      if constexpr (kCount > 3) {
        v = cell(v, reach3, d3, number, sum, g3, flag + 3 * stride + i);
      }
      hn::Store(v, d, value + i * lanes());
    }
    for (size_t number = 0; number < kCount; ++number) {
      gather_records(flag + number * stride, j - 1 + number);
    }
  }

  void forward() {
    std::fill_n(value_.get(), (N_ + 1) * lanes(), 0.0);
    size_t j = 1;
    for (; j + kRows <= P_ + 2; j += kRows) {
      sweep<kRows>(j);
    }
    switch (P_ + 2 - j) {  // rows left, P + 1 included
      case 3:
        return sweep<3>(j);
      case 2:
        return sweep<2>(j);
      case 1:
        return sweep<1>(j);
      default:
        return;
    }
  }

  /// From a byte per column with a bit per lane to a bitmap over columns per lane: records of F_j.
  void gather_records(const uint8_t* HWY_RESTRICT flags, size_t j) {
    const hn::CappedTag<uint8_t, 64> d8;
    uint64_t* HWY_RESTRICT bitmaps = records_.get() + j * words_ * lanes();
    for (size_t word = 0; word < words_; ++word) {
      for (size_t lane = 0; lane < lanes(); ++lane) {
        if constexpr (hn::MaxLanes(d8) >= 8) {
          const auto bit = hn::Set(d8, static_cast<uint8_t>(1U << lane));
          auto* bytes = reinterpret_cast<uint8_t*>(bitmaps + lane);
          for (size_t i = 0; i < 64; i += hn::Lanes(d8)) {
            hn::StoreMaskBits(d8, hn::TestBit(hn::Load(d8, flags + i), bit), bytes + i / 8);
          }
        } else {
          bitmaps[lane] = 0;
          for (size_t i = 0; i < 64; ++i) {
            bitmaps[lane] |= static_cast<uint64_t>((flags[i] >> lane) & 1U) << i;
          }
        }
      }
      flags += 64;
      bitmaps += lanes();
    }
  }

  /// The last record at or before column i of one lane.  Column 0 always is one.
  template <bool kOneWord>
  static HWY_INLINE size_t last_record(const uint64_t* bitmap, size_t i) {
    size_t word = kOneWord ? 0 : i / 64;
    uint64_t bits = bitmap[word * lanes()] & (~uint64_t{0} >> (63 - i % 64));
    while (!kOneWord && bits == 0) {
      --word;
      bits = bitmap[word * lanes()];
    }
    // "| 1" changes no result and tells the compiler that there is a bit.
    return word * 64 + 63 - static_cast<size_t>(std::countl_zero(bits | 1U));
  }

  /// i_P is the last record of F_P, i_(j-1) the last record of F_(j-1) at or before i_j.  Writes
  /// NB = i_j of the relevant items and the loss, Eq. (18), summed in the order of
  /// reference::score(); lanes side by side, since one list alone would wait for every step.
  template <bool kOneWord>
  void way_back(size_t first, size_t count) {
    size_t column[kMaxLanes];
    double score[kMaxLanes] = {};
    uint16_t* inversions[kMaxLanes];
    for (size_t lane = 0; lane < count; ++lane) {
      column[lane] = N_;
      inversions[lane] = batch_.inversions + (first + lane) * batch_.items();
    }
    uint32_t* ends = ends_.get();
    std::fill_n(ends, (N_ + 1) * lanes(), uint32_t{0});
    const size_t words = kOneWord ? 1 : words_;
    for (size_t j = P_; j >= 1; --j) {
      const uint64_t* bitmaps = records_.get() + j * words * lanes();
      const double* gain = gains_ + (j - 1) * (N_ + 1);
      const int32_t* item = relevant_items_.get() + (j - 1) * lanes();
      for (size_t lane = 0; lane < count; ++lane) {
        const size_t i = last_record<kOneWord>(bitmaps + lane, column[lane]);
        column[lane] = i;
        score[lane] += gain[i];
        ++ends[i * lanes() + lane];
        inversions[lane][item[lane]] = static_cast<uint16_t>(i);
      }
    }
    for (size_t lane = 0; lane < count; ++lane) {
      batch_.losses[first + lane] = 1.0 - score[lane];
    }
  }

  /// PA_k = #{j : i_j >= k} of the irrelevant items, from the numbers of j that end at each i.
  void write_irrelevant(size_t lane, uint16_t* inversions) const {
    uint32_t behind = 0;
    for (size_t k = N_; k >= 1; --k) {
      behind += ends_[k * lanes() + lane];
      const auto item = static_cast<size_t>(irrelevant_items_[(k - 1) * lanes() + lane]);
      inversions[item] = static_cast<uint16_t>(behind);
    }
  }

  const simd::ListBatch& batch_;
  const double* gains_;
  const double* pair_gains_;
  size_t P_;
  size_t N_;
  size_t words_;  // 64-bit words of a bitmap over the N + 1 columns
  LaneSorter sort_relevant_;
  LaneSorter sort_irrelevant_;
  simd::AlignedArray<double> relevant_;           // d: P x lanes, ascending
  simd::AlignedArray<double> nearest_sum_;        // E: (N + 1) x lanes
  simd::AlignedArray<double> numbers_;            // 0, 1, ..., N
  simd::AlignedArray<double> value_;              // F_j: (N + 1) x lanes
  simd::AlignedArray<int32_t> relevant_items_;    // position in the list by rank: P x lanes
  simd::AlignedArray<int32_t> irrelevant_items_;  // N x lanes
  simd::AlignedArray<uint8_t> flags_;             // kRows x (64 * words): records, bit = lane
  simd::AlignedArray<uint64_t> records_;          // (P + 1) x words x lanes
  simd::AlignedArray<uint32_t> ends_;             // number of j with i_j = i: (N + 1) x lanes
};

bool programme_all(const simd::ListBatch& batch, const double* gains, const double* pair_gains) {
  Programme programme(batch, gains, pair_gains);
  return for_each_finite_block(batch, Programme::lanes(),
                               [&](size_t first, size_t count) { programme.run(first, count); });
}

}  // namespace HWY_NAMESPACE
}  // namespace structhash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash {
HWY_EXPORT(programme_all);

bool simd::most_violated_programme(const ListBatch& batch, const double* gains,
                                   const double* pair_gains) {
  return HWY_DYNAMIC_DISPATCH(programme_all)(batch, gains, pair_gains);
}

}  // namespace structhash
#endif
