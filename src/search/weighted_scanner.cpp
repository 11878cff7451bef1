#include "search/weighted_scanner.hpp"

#include <algorithm>
#include <limits>

#include "search/simd/weighted_bounds.hpp"

namespace structhash::scan {
namespace {

/// Float sums and products are off by at most 2^-24 a step; a bound must not suffer from it.
double rounding_room(std::size_t words) {
  return 1.0 + static_cast<double>(8 * words + 64) * 0x1p-22;
}

class WeightedScanner final : public BlockScanner {
 public:
  WeightedScanner(const QueryCodes& queries, const WeightSums& weights)
      : queries_(queries),
        weights_(weights),
        table_bytes_(weights.words() * field_layout().fields * kTableEntries),
        limits_(queries.size(), -1.0F),
        bounded_(queries.size()),
        tables_(queries.size() * table_bytes_ / sizeof(BlockMask)),
        split_(kBlockRows / kTableEntries * table_bytes_ / sizeof(BlockMask)) {}

  /// scale maps the limit to the largest bound that fits, so that bounds are as fine as can be.
  ///
  ///   distance <= limit  =>  sum of floor(scale * field sum) <= scale * limit
  void set_limits(std::span<const float> limits) override {
    // A word saturates at 255: room above the bound, so that one heavy bit can rule a code out.
    const double finest = std::min(60'000.0, std::max(250.0, 60.0 * real(weights_.words())));
    for (std::size_t query = 0; query < limits.size(); ++query) {
      if (limits[query] == limits_[query]) {
        continue;
      }
      limits_[query] = limits[query];
      if (limits[query] < 0.0F) {
        bounded_[query].bound = -1;
        continue;
      }
      const double limit = std::min(limits[query], weights_.most());
      const auto scale = static_cast<float>(limit > 0.0 ? std::min(finest / limit, 1e30) : 1e30);
      const double bound = scale * limit * rounding_room(weights_.words());
      auto* tables = reinterpret_cast<std::uint8_t*>(tables_.data()) + query * table_bytes_;
      quantise_tables(weights_.fields(), weights_.words(), queries_[query], scale, tables);
      bounded_[query] = {.tables = tables, .bound = static_cast<std::int32_t>(bound)};
    }
  }

  void scan_block(const std::uint64_t* codes, const BlockMask& allowed, SurvivorLog& log) override {
    auto* split = reinterpret_cast<std::uint8_t*>(split_.data());
    split_fields(codes, weights_.words(), split);
    bounded_survivors(split, weights_.words(), bounded_, allowed, log);
  }

  /// As WeightTable::distance sums, whose arguments are known to be right here.
  float distance(std::size_t query, const std::uint64_t* code) const override {
    const float* byte_sums = weights_.table().entries().data();
    float sum = 0.0F;
    for (std::size_t word = 0; word < weights_.words(); ++word) {
      const std::uint64_t difference = queries_[query][word] ^ code[word];
      for (unsigned byte = 0; byte < 8; ++byte, byte_sums += 256) {
        sum += byte_sums[(difference >> (8 * byte)) & 0xFFU];
      }
    }
    return sum;
  }

 private:
  static double real(std::size_t value) { return static_cast<double>(value); }

  QueryCodes queries_;
  const WeightSums& weights_;
  std::size_t table_bytes_;
  std::vector<float> limits_;
  std::vector<BoundedQuery> bounded_;
  std::vector<BlockMask> tables_;  // aligned bytes
  std::vector<BlockMask> split_;   // aligned bytes
};

}  // namespace

WeightSums::WeightSums(std::span<const float> bit_weights)
    : table_(bit_weights), words_((bit_weights.size() + 63) / 64) {
  const auto [fields, width] = field_layout();
  field_sums_.resize(words_ * fields * kTableEntries);
  double total = 0.0;
  for (std::size_t bit = 0; bit < 64 * words_; ++bit) {
    const double weight = bit < bit_weights.size() ? bit_weights[bit] : 0.0;
    total += weight;
    const std::size_t in_word = bit % 64;
    const std::size_t highest = std::size_t{1} << (in_word % width);
    float* sums = field_sums_.data() + (bit / 64 * fields + in_word / width) * kTableEntries;
    for (std::size_t pattern = 0; pattern < kTableEntries; ++pattern) {
      if ((pattern & highest) != 0) {
        sums[pattern] = static_cast<float>(sums[pattern] + weight);
      }
    }
  }
  most_ = static_cast<float>(
      std::min(total * rounding_room(words_), double{std::numeric_limits<float>::max()}));
}

std::unique_ptr<BlockScanner> make_weighted_scanner(const QueryCodes& queries,
                                                    const WeightSums& weights) {
  return std::make_unique<WeightedScanner>(queries, weights);
}

}  // namespace structhash::scan
