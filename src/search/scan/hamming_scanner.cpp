#include "search/scan/hamming_scanner.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "search/scan/simd/bit_sliced.hpp"
#include "search/scan/simd/popcount.hpp"

namespace structhash::search {
namespace {

/// Queries from which slicing a block saves time: estimated, not tuned.
constexpr std::size_t kMinSliced = 24;

std::int64_t whole_limit(float limit, Index bits) {
  return limit < 0.0F ? -1 : static_cast<std::int64_t>(std::min(limit, static_cast<float>(bits)));
}

class HammingScanner : public BlockScanner {
 public:
  HammingScanner(QueryCodes queries, Index bits)
      : queries_(std::move(queries)),
        bits_(bits),
        words_(static_cast<std::size_t>((bits + 63) / 64)) {}

  float distance(std::size_t query, const std::uint64_t* code) const override {
    int different = 0;
    for (std::size_t word = 0; word < words_; ++word) {
      different += std::popcount(queries_[query][word] ^ code[word]);
    }
    return static_cast<float>(different);
  }

 protected:
  QueryCodes queries_;
  Index bits_;
  std::size_t words_;
};

class PopcountScanner final : public HammingScanner {
 public:
  using HammingScanner::HammingScanner;

  void set_limits(std::span<const float> limits) override {
    limits_.clear();
    for (const float limit : limits) {
      limits_.push_back(whole_limit(limit, bits_));
    }
  }
  void scan_block(const std::uint64_t* codes, const BlockMask& allowed, SurvivorLog& log) override {
    popcount_survivors(codes, words_, queries_, limits_, allowed, log);
  }

 private:
  std::vector<std::int64_t> limits_;
};

/// Keeps the queries sorted by limit.
class SlicedScanner final : public HammingScanner {
 public:
  SlicedScanner(const QueryCodes& queries, Index bits)
      : HammingScanner(queries, bits),
        tables_(words_ * kWordTableBytes / sizeof(BlockMask)),
        offsets_(queries.size() * words_ * kWordOffsets),
        sorted_offsets_(offsets_.size()) {
    for (std::size_t i = 0; i < queries.size() * words_; ++i) {
      word_offsets(queries[i / words_][i % words_], offsets_.data() + i * kWordOffsets);
    }
  }

  void set_limits(std::span<const float> limits) override {
    // A limit of 64 words_ does not fit the counters, and every row is within it.
    const auto max_limit = static_cast<std::int64_t>(64 * words_) - 1;
    std::vector<std::pair<std::int64_t, std::uint32_t>> order;
    everything_.clear();
    for (std::uint32_t query = 0; query < limits.size(); ++query) {
      const std::int64_t limit = whole_limit(limits[query], bits_);
      if (limit > max_limit) {
        everything_.push_back(query);
      } else if (limit >= 0) {
        order.emplace_back(limit, query);
      }
    }
    std::ranges::sort(order);
    const std::size_t stride = words_ * kWordOffsets;
    groups_.clear();
    numbers_.clear();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto [limit, query] = order[i];
      std::copy_n(offsets_.data() + query * stride, stride, sorted_offsets_.data() + i * stride);
      numbers_.push_back(query);
      if (groups_.empty() || groups_.back().limit != limit) {
        groups_.push_back({.first = i, .limit = limit});
      }
    }
  }

  void scan_block(const std::uint64_t* codes, const BlockMask& allowed, SurvivorLog& log) override {
    auto* tables = reinterpret_cast<std::uint8_t*>(tables_.data());
    slice_block(codes, words_, tables);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const std::size_t first = groups_[i].first;
      const std::size_t end = i + 1 < groups_.size() ? groups_[i + 1].first : numbers_.size();
      sliced_survivors(tables, words_,
                       {.offsets = sorted_offsets_.data() + first * words_ * kWordOffsets,
                        .numbers = numbers_.data() + first,
                        .count = end - first,
                        .limit = groups_[i].limit},
                       allowed, log);
    }
    const bool any = std::ranges::any_of(allowed.words, [](std::uint64_t word) { return word; });
    for (const std::uint32_t query : everything_) {
      log.next_mask() = allowed;
      log.keep_if(any, query);
    }
  }

 private:
  struct Group {
    std::size_t first;
    std::int64_t limit;
  };
  std::vector<BlockMask> tables_;  // aligned bytes
  std::vector<std::uint16_t> offsets_;
  std::vector<std::uint16_t> sorted_offsets_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> everything_;
};

}  // namespace

std::unique_ptr<BlockScanner> make_hamming_scanner(const QueryCodes& queries, Index bits) {
  if (queries.size() >= kMinSliced && bits <= static_cast<Index>(64 * kMaxSlicedWords)) {
    return std::make_unique<SlicedScanner>(queries, bits);
  }
  return std::make_unique<PopcountScanner>(queries, bits);
}

}  // namespace structhash::search
