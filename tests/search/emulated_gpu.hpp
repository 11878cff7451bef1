#pragma once

#include <algorithm>
#include <bit>

#include "search/gpu/scan_device.hpp"
#include "search/naive_scan.hpp"

/// The twin of the GPU: the sums of the scan kernels and the work of the rank kernel, one after the
/// other.  Which hits are dropped from a full list differs from run to run on a GPU, so the rows of
/// a part are visited in a scrambled order.
namespace structhash::search::gpu {

class EmulatedGpu final : public ScanDevice {
 public:
  EmulatedGpu(const CodeSpan& codes, DeviceLimits limits) : ScanDevice(limits), codes_(codes) {}

  int scans = 0;

  void allow(std::span<const std::uint64_t> allowed) override { allowed_ = allowed; }

  Ranking nearest(const QueryBatch& batch, std::span<const RowRange> parts, Index k) override {
    Ranking ranking{.nearest = batch.nearest, .bounds = batch.bounds, .overflowed = {}};
    for (std::size_t part = 0; part < parts.size(); ++part) {
      for (std::size_t query = 0; query < ranking.nearest.size(); ++query) {
        const auto [hits, count] = scan(batch, query, ranking.bounds[query], parts[part]);
        const bool overflow = count > limits().capacity;
        rank(batch, query, hits, overflow, static_cast<std::size_t>(k), ranking);
        ranking.overflowed.push_back(overflow ? 1 : 0);
      }
    }
    return ranking;
  }

  Hits within(const QueryBatch& batch, RowRange range) override {
    Hits all;
    for (std::size_t query = 0; query < static_cast<std::size_t>(batch.queries); ++query) {
      auto [hits, count] = scan(batch, query, batch.bounds[query], range);
      all.counts.push_back(static_cast<std::uint32_t>(count));
      all.rows.push_back(std::move(hits));
    }
    return all;
  }

 private:
  struct Found {
    std::vector<std::uint32_t> rows;
    Index count = 0;
  };

  Found scan(const QueryBatch& batch, std::size_t query, Key bound, RowRange range) {
    ++scans;
    const std::int32_t start =
        batch.offsets[query] - 1 -
        limit_of(bound, range.begin, batch.factors[query], batch.largest[query]);
    const auto stride = static_cast<std::size_t>(64 * batch.words);
    const std::span coefficients(batch.coefficients.data() + query * stride, stride);
    Found found;
    constexpr Index kPrime = 7919;
    const Index step = range.size() % kPrime == 0 ? 1 : kPrime;  // visits every row once
    for (Index i = 0; i < range.size(); ++i) {
      const Index row = range.begin + i * step % range.size();
      const CodeView code = codes_.row(row);
      std::int32_t sum = start;
      for (std::size_t bit = 0; bit < stride; ++bit) {
        sum += ((code[bit / 64] >> (bit % 64)) & 1U) != 0 ? coefficients[bit] : 0;
      }
      if (sum < 0 && is_allowed(allowed_, row) && !repeats(bound, row)) {
        if (found.count++ < limits().capacity) {
          found.rows.push_back(static_cast<std::uint32_t>(row));
        }
      }
    }
    return found;
  }

  /// A later row with the code of the bound.
  bool repeats(Key bound, Index row) const {
    const Index last = neighbour_of(bound).row;
    return bound != kNoKey && row > last && std::ranges::equal(codes_.row(row), codes_.row(last));
  }

  float distance(const QueryBatch& batch, std::size_t query, CodeView code) const {
    const auto words = static_cast<std::size_t>(batch.words);
    const float* weights =
        batch.weights.data() + (batch.own_weights ? query * 64 * words : std::size_t{0});
    float sum = 0.0F;
    for (std::size_t word = 0; word < words; ++word) {
      std::uint64_t left = batch.codes[query * words + word] ^ code[word];
      if (batch.weights.empty()) {
        sum += static_cast<float>(std::popcount(left));
        continue;
      }
      for (std::size_t byte = 0; byte < 8; ++byte, left >>= 8U) {
        float byte_sum = 0.0F;
        for (std::size_t bit = 0; bit < 8; ++bit) {
          byte_sum += ((left >> bit) & 1U) != 0 ? weights[64 * word + 8 * byte + bit] : 0.0F;
        }
        sum += byte_sum;
      }
    }
    return sum;
  }

  void rank(const QueryBatch& batch, std::size_t query, const std::vector<std::uint32_t>& hits,
            bool overflow, std::size_t k, Ranking& ranking) const {
    std::vector<Key> keys = ranking.nearest[query];
    for (const std::uint32_t row : hits) {
      keys.push_back(key_of(distance(batch, query, codes_.row(row)), row));
    }
    std::ranges::sort(keys);
    keys.resize(std::min(keys.size(), k));
    if (keys.size() == k) {
      ranking.bounds[query] = std::min(ranking.bounds[query], keys.back());
    }
    if (!overflow) {
      ranking.nearest[query] = std::move(keys);
    }
  }

  CodeSpan codes_;
  std::span<const std::uint64_t> allowed_;
};

}  // namespace structhash::search::gpu
