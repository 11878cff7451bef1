#include <algorithm>
#include <bit>
#include <limits>

#include "ranking/simd/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ranking/simd/most_violated_batch.cc"
#include "hwy/foreach_target.h"  // compiles the rest of this file once per instruction set
#include "hwy/highway.h"
#include "ranking/simd/counting-inl.h"
#include "ranking/simd/rank_by_counting-inl.h"

HWY_BEFORE_NAMESPACE();
namespace structhash {
namespace HWY_NAMESPACE {

/// The dynamic programme of most_violated_programme (docs/methods.md B.2), one list per lane.
///
///   F_0 = 0,   F_j(i) = max_{i' <= i} F_(j-1)(i') + (i d_j - E(i)) - gain(j, i) P N / 2
///
/// Three things make it fast:
///   - kRows rows in one sweep over i: F_(j+1)(i) follows F_j(i) in registers, and the running
///     maxima of the rows are independent chains that hide each other's latency;
///   - the way back costs one bit per cell: "is F_j(i) a record", at least as large as everything
///     before it.  The best i' <= i is the last record at or before i, which also gives ties to
///     the larger i';
///   - every operation keeps the order of the scalar programme, and i * d_j is exact, so that fused
///     or not the bits are the same.
class Programme {
 public:
  Programme(const simd::ListBatch& batch, const double* gains, const double* pair_gains)
      : batch_(batch),
        gains_(gains),
        pair_gains_(pair_gains),
        P_(batch.relevant),
        N_(batch.irrelevant),
        lanes_(hn::Lanes(Lists())),
        words_(N_ / 64 + 1),
        list_(zeros<float>(padded(HWY_MAX(P_, N_)))),
        relevant_ranks_(zeros<int16_t>(lanes_ * padded(P_))),
        irrelevant_ranks_(zeros<int16_t>(lanes_ * padded(N_))),
        relevant_(zeros<double>(P_ * lanes_)),
        nearest_sum_(zeros<double>((N_ + 1) * lanes_)),
        value_(zeros<double>((N_ + 1) * lanes_)),
        flags_(zeros<uint8_t>(kRows * words_ * 64)),
        records_(zeros<uint64_t>((P_ + 1) * lanes_ * words_)),
        chosen_(zeros<int16_t>(lanes_ * P_)),
        behind_(zeros<int16_t>(padded(N_))) {}

  /// Lists first .. first + count - 1, one per lane; count is at most lanes().
  void run(size_t first, size_t count) {
    for (size_t lane = 0; lane < count; ++lane) {
      sort_into_lane(batch_.distances + (first + lane) * batch_.items(), lane);
    }
    sum_irrelevant();
    forward();
    way_back();
    for (size_t lane = 0; lane < count; ++lane) {
      write_inversions(lane, batch_.inversions + (first + lane) * batch_.items());
    }
    write_losses(batch_.losses + first, count);
  }

  size_t lanes() const { return lanes_; }

 private:
  static constexpr size_t kMaxLanes = 8;  // one flag byte holds a bit of every lane
  static constexpr size_t kRows = 4;
  using Lists = hn::CappedTag<double, kMaxLanes>;
  using Value = hn::Vec<Lists>;

  /// Sorts one list by ranks, relevant and irrelevant items apart, into its lane.
  void sort_into_lane(const float* distances, size_t lane) {
    int16_t* ranks = relevant_ranks_.get() + lane * padded(P_);
    std::copy_n(distances, P_, list_.get());
    rank_by_counting(list_.get(), P_, ranks);
    for (size_t l = 0; l < P_; ++l) {
      relevant_[static_cast<size_t>(ranks[l]) * lanes_ + lane] = static_cast<double>(list_[l]);
    }
    ranks = irrelevant_ranks_.get() + lane * padded(N_);
    std::copy_n(distances + P_, N_, list_.get());
    rank_by_counting(list_.get(), N_, ranks);
    for (size_t l = 0; l < N_; ++l) {
      nearest_sum_[(static_cast<size_t>(ranks[l]) + 1) * lanes_ + lane] =
          static_cast<double>(list_[l]);
    }
  }

  /// E(i) = e_1 + ... + e_i, in place.
  void sum_irrelevant() {
    const Lists d;
    Value sum = hn::Zero(d);
    for (size_t i = 1; i <= N_; ++i) {
      double* cell = nearest_sum_.get() + i * lanes_;
      sum = hn::Add(sum, hn::Load(d, cell));
      hn::Store(sum, d, cell);
    }
  }

  /// One cell of row j: takes F_(j-1)(i), flags it if it is a record, and returns F_j(i).
  static HWY_INLINE Value cell(Value below, Value& reach, Value distance, Value i,
                               Value nearest_sum, double gain, uint8_t* flag) {
    const Lists d;
    hn::StoreMaskBits(d, hn::Ge(below, reach), flag);
    reach = hn::Max(reach, below);
    const Value excess = hn::MulSub(i, distance, nearest_sum);
    return hn::Add(reach, hn::Sub(excess, hn::Set(d, gain)));
  }

  /// Rows j .. j + 3, from F_(j-1) to F_(j+3).
  void four_rows(size_t j) {
    const Lists d;
    const size_t lanes = lanes_;
    const size_t columns = N_ + 1;
    const double* HWY_RESTRICT gain = pair_gains_ + (j - 1) * columns;
    const double* HWY_RESTRICT sums = nearest_sum_.get();
    const double* distance = relevant_.get() + (j - 1) * lanes;
    double* HWY_RESTRICT value = value_.get();
    uint8_t* HWY_RESTRICT flag = flags_.get();
    const size_t stride = words_ * 64;
    const Value d0 = hn::Load(d, distance);
    const Value d1 = hn::Load(d, distance + lanes);
    const Value d2 = hn::Load(d, distance + 2 * lanes);
    const Value d3 = hn::Load(d, distance + 3 * lanes);
    Value reach0 = hn::Set(d, -std::numeric_limits<double>::infinity());
    Value reach1 = reach0;
    Value reach2 = reach0;
    Value reach3 = reach0;
    Value number = hn::Zero(d);
    for (size_t i = 0; i < columns; ++i) {
      const Value sum = hn::Load(d, sums + i * lanes);
      Value v = hn::Load(d, value + i * lanes);
      v = cell(v, reach0, d0, number, sum, gain[i], flag + i);
      v = cell(v, reach1, d1, number, sum, gain[columns + i], flag + stride + i);
      v = cell(v, reach2, d2, number, sum, gain[2 * columns + i], flag + 2 * stride + i);
      v = cell(v, reach3, d3, number, sum, gain[3 * columns + i], flag + 3 * stride + i);
      hn::Store(v, d, value + i * lanes);
      number = hn::Add(number, hn::Set(d, 1.0));
    }
    for (size_t row = 0; row < kRows; ++row) {
      gather_records(flag + row * stride, j - 1 + row);
    }
  }

  /// Row j alone, from F_(j-1) to F_j; for j = P + 1 only the records of F_P matter.
  void one_row(size_t j) {
    const Lists d;
    const bool last = j > P_;
    const double* gain = pair_gains_ + (last ? 0 : j - 1) * (N_ + 1);
    const Value distance = hn::Load(d, relevant_.get() + (last ? 0 : j - 1) * lanes_);
    Value reach = hn::Set(d, -std::numeric_limits<double>::infinity());
    Value number = hn::Zero(d);
    for (size_t i = 0; i <= N_; ++i) {
      double* value = value_.get() + i * lanes_;
      const Value sum = hn::Load(d, nearest_sum_.get() + i * lanes_);
      hn::Store(cell(hn::Load(d, value), reach, distance, number, sum, gain[i], flags_.get() + i),
                d, value);
      number = hn::Add(number, hn::Set(d, 1.0));
    }
    gather_records(flags_.get(), j - 1);
  }

  void forward() {
    std::fill_n(value_.get(), (N_ + 1) * lanes_, 0.0);
    size_t j = 1;
    for (; j + kRows <= P_ + 1; j += kRows) {
      four_rows(j);
    }
    for (; j <= P_ + 1; ++j) {
      one_row(j);
    }
  }

  /// From a byte per column with a bit per lane to a bitmap over columns per lane: records of F_j.
  void gather_records(const uint8_t* flags, size_t j) {
    const hn::CappedTag<uint8_t, 64> d8;
    uint64_t* bitmaps = records_.get() + j * lanes_ * words_;
    for (size_t lane = 0; lane < lanes_; ++lane) {
      const auto bit = hn::Set(d8, static_cast<uint8_t>(1U << lane));
      for (size_t word = 0; word < words_; ++word) {
        uint64_t bitmap = 0;
        if constexpr (hn::MaxLanes(d8) >= 8) {
          uint8_t bytes[8];
          for (size_t i = 0; i < 64; i += hn::Lanes(d8)) {
            hn::StoreMaskBits(d8, hn::TestBit(hn::Load(d8, flags + word * 64 + i), bit),
                              bytes + i / 8);
          }
          bitmap = std::bit_cast<uint64_t>(bytes);
        } else {
          for (size_t i = 0; i < 64; ++i) {
            bitmap |= static_cast<uint64_t>((flags[word * 64 + i] >> lane) & 1U) << i;
          }
        }
        bitmaps[lane * words_ + word] = bitmap;
      }
    }
  }

  /// The last record at or before column i.  Column 0 always is one.
  static HWY_INLINE size_t last_record(const uint64_t* bitmap, size_t i) {
    size_t word = i / 64;
    uint64_t bits = bitmap[word] << (63 - i % 64);
    if (bits != 0) {
      return i - static_cast<size_t>(std::countl_zero(bits));
    }
    do {
      --word;
    } while (bitmap[word] == 0);
    return word * 64 + 63 - static_cast<size_t>(std::countl_zero(bitmap[word]));
  }

  /// i_P is the last record of F_P, i_(j-1) the last record of F_(j-1) at or before i_j.
  void way_back() {
    size_t current[kMaxLanes];
    std::fill_n(current, kMaxLanes, N_);
    for (size_t j = P_; j >= 1; --j) {
      const uint64_t* bitmaps = records_.get() + j * lanes_ * words_;
      for (size_t lane = 0; lane < lanes_; ++lane) {
        current[lane] = last_record(bitmaps + lane * words_, current[lane]);
        chosen_[lane * P_ + j - 1] = static_cast<int16_t>(current[lane]);
      }
    }
  }

  /// NB of a relevant item is i_j at its rank j; PA of an irrelevant one is #{j : i_j > its rank}.
  void write_inversions(size_t lane, uint16_t* inversions) {
    const int16_t* chosen = chosen_.get() + lane * P_;
    const int16_t* ranks = relevant_ranks_.get() + lane * padded(P_);
    for (size_t l = 0; l < P_; ++l) {
      inversions[l] = static_cast<uint16_t>(chosen[ranks[l]]);
    }
    const FullCounts16 d16;
    ranks = irrelevant_ranks_.get() + lane * padded(N_);
    for (size_t l = 0; l < N_; l += hn::Lanes(d16)) {
      const auto rank = hn::Load(d16, ranks + l);
      auto count = hn::Zero(d16);
      for (size_t j = 0; j < P_; ++j) {
        count = add_where(d16, hn::Gt(hn::Set(d16, chosen[j]), rank), count);
      }
      hn::Store(count, d16, behind_.get() + l);
    }
    std::copy_n(behind_.get(), N_, inversions + P_);
  }

  /// Eq. (18), summed from the first relevant item on as score() does; lanes side by side, because
  /// one sum alone waits for each addition.
  void write_losses(double* losses, size_t count) {
    double score[kMaxLanes] = {};
    for (size_t j = 0; j < P_; ++j) {
      const double* gain = gains_ + j * (N_ + 1);
      for (size_t lane = 0; lane < lanes_; ++lane) {
        score[lane] += gain[chosen_[lane * P_ + j]];
      }
    }
    for (size_t lane = 0; lane < count; ++lane) {
      losses[lane] = 1.0 - score[lane];
    }
  }

  const simd::ListBatch& batch_;
  const double* gains_;
  const double* pair_gains_;
  size_t P_;
  size_t N_;
  size_t lanes_;
  size_t words_;  // 64-bit words of a bitmap over the N + 1 columns
  hwy::AlignedFreeUniquePtr<float[]> list_;
  hwy::AlignedFreeUniquePtr<int16_t[]> relevant_ranks_;    // lanes x padded P
  hwy::AlignedFreeUniquePtr<int16_t[]> irrelevant_ranks_;  // lanes x padded N
  hwy::AlignedFreeUniquePtr<double[]> relevant_;           // d: P x lanes, ascending
  hwy::AlignedFreeUniquePtr<double[]> nearest_sum_;        // E: (N + 1) x lanes
  hwy::AlignedFreeUniquePtr<double[]> value_;              // F_j: (N + 1) x lanes
  hwy::AlignedFreeUniquePtr<uint8_t[]> flags_;             // kRows x 64 words: bit = lane
  hwy::AlignedFreeUniquePtr<uint64_t[]> records_;          // (P + 1) x lanes x words
  hwy::AlignedFreeUniquePtr<int16_t[]> chosen_;            // i_j: lanes x P
  hwy::AlignedFreeUniquePtr<int16_t[]> behind_;            // PA of one list, padded N
};

void programme_all(const simd::ListBatch& batch, const double* gains, const double* pair_gains) {
  Programme programme(batch, gains, pair_gains);
  for (size_t first = 0; first < batch.lists; first += programme.lanes()) {
    programme.run(first, HWY_MIN(programme.lanes(), batch.lists - first));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace structhash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash {
HWY_EXPORT(programme_all);

void simd::most_violated_programme(const ListBatch& batch, const double* gains,
                                   const double* pair_gains) {
  HWY_DYNAMIC_DISPATCH(programme_all)(batch, gains, pair_gains);
}

}  // namespace structhash
#endif
