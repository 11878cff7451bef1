#include "search/scan/weighted_scanner.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "search/scan/simd/weighted_bounds.hpp"
#include "search/scan/simd/weighted_direct.hpp"

namespace structhash::search {
namespace {

/// Float sums and products are off by at most 2^-24 a step; bounds are widened by more than that.
double rounding_room(std::size_t words) {
  return 1.0 + static_cast<double>(8 * words + 64) * 0x1p-22;
}

/// Queries from which splitting a block into fields saves time: estimated, not tuned.
constexpr std::size_t kMinSplit = 48;

/// Keeps one set of small tables per query, scaled to its limit.
class WeightedScanner : public BlockScanner {
 public:
  WeightedScanner(const QueryCodes& queries, const WeightSums& weights, std::size_t table_bytes)
      : queries_(queries),
        weights_(weights),
        table_bytes_(table_bytes),
        limits_(queries.size(), -1.0F),
        bounded_(queries.size()),
        tables_(queries.size() * table_bytes / sizeof(BlockMask)) {}

  /// The limit is mapped to the largest bound that fits, for the finest resolution.
  ///
  ///   distance <= limit  =>  sum of floor(scale * field sum) <= scale * limit
  void set_limits(std::span<const float> limits) override {
    for (std::size_t query = 0; query < limits.size(); ++query) {
      if (limits[query] != limits_[query]) {
        limits_[query] = limits[query];
        set_limit(query, limits[query]);
      }
    }
  }

  /// Sums as WeightTable::distance does, without its argument checks.
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

 protected:
  virtual void write_tables(const std::uint64_t* query, float scale, std::uint8_t* tables) = 0;
  const WeightSums& weights() const { return weights_; }
  std::span<const BoundedQuery> bounded() const { return bounded_; }

 private:
  void set_limit(std::size_t query, float any_limit) {
    bounded_[query].bound = -1;
    if (any_limit < 0.0F) {
      return;
    }
    // An entry saturates at 255, close to the bound, so that one heavy bit excludes a code.
    const auto words = static_cast<double>(weights_.words());
    const double finest = std::min(60'000.0, std::max(250.0, 60.0 * words));
    const double limit = std::min(any_limit, weights_.max_distance());
    const auto scale = static_cast<float>(limit > 0.0 ? std::min(finest / limit, 1e30) : 1e30);
    const double bound = scale * limit * rounding_room(weights_.words());
    auto* tables = reinterpret_cast<std::uint8_t*>(tables_.data()) + query * table_bytes_;
    write_tables(queries_[query], scale, tables);
    bounded_[query] = {.tables = tables, .bound = static_cast<std::int32_t>(bound)};
  }

  QueryCodes queries_;
  const WeightSums& weights_;
  std::size_t table_bytes_;
  std::vector<float> limits_;
  std::vector<BoundedQuery> bounded_;
  std::vector<BlockMask> tables_;  // aligned bytes
};

/// Splits a block into fields once for all queries.
class SplitScanner final : public WeightedScanner {
 public:
  SplitScanner(const QueryCodes& queries, const WeightSums& sums)
      : WeightedScanner(queries, sums, table_bytes(sums)),
        split_(kBlockRows * sums.words() * field_layout().fields / sizeof(BlockMask)) {}

  void scan_block(const std::uint64_t* codes, const BlockMask& allowed, SurvivorLog& log) override {
    auto* split = reinterpret_cast<std::uint8_t*>(split_.data());
    split_fields(codes, weights().below_dropped(), split);
    bounded_survivors(split, weights().words(), bounded(), allowed, log);
  }

 private:
  static std::size_t table_bytes(const WeightSums& sums) {
    const FieldLayout layout = field_layout();
    return sums.words() * layout.fields * layout.entries;
  }
  void write_tables(const std::uint64_t* query, float scale, std::uint8_t* tables) override {
    quantise_tables(weights().fields(), weights().below_dropped(), query, scale, tables);
  }
  std::vector<BlockMask> split_;  // aligned bytes
};

/// Reads the codes in their stored layout.
class DirectScanner final : public WeightedScanner {
 public:
  DirectScanner(const QueryCodes& queries, const WeightSums& sums)
      : WeightedScanner(queries, sums, sums.words() * kDirectTableBytes) {}

  void scan_block(const std::uint64_t* codes, const BlockMask& allowed, SurvivorLog& log) override {
    direct_survivors(codes, weights().words(), bounded(), allowed, log);
  }

 private:
  void write_tables(const std::uint64_t* query, float scale, std::uint8_t* tables) override {
    direct_tables(weights().half_bytes(), weights().words(), query, scale, tables);
  }
};

/// Per word the bits below the lightest one, which a layout may drop, or all bits.
std::vector<std::uint64_t> below_lightest(std::span<const float> bit_weights, bool drops_a_bit) {
  std::vector<std::uint64_t> below;
  for (std::size_t first = 0; first < bit_weights.size(); first += 64) {
    const auto weights =
        bit_weights.subspan(first, std::min<std::size_t>(64, bit_weights.size() - first));
    const auto lightest = weights.size() < 64 ? std::ssize(weights)  // a padding bit
                                              : std::ranges::min_element(weights) - weights.begin();
    below.push_back(drops_a_bit ? (std::uint64_t{1} << lightest) - 1 : ~std::uint64_t{0});
  }
  return below;
}

/// Sums of the weights of all patterns of a field.
std::vector<float> pattern_sums(std::span<const float> bit_weights,
                                std::span<const std::uint64_t> below, const FieldLayout& layout) {
  std::vector<float> sums(below.size() * layout.fields * layout.entries);
  for (std::size_t bit = 0; bit < bit_weights.size(); ++bit) {
    const std::uint64_t place = drop_bit(std::uint64_t{1} << (bit % 64), below[bit / 64]);
    if (place == 0) {
      continue;  // dropped
    }
    const auto in_word = static_cast<std::size_t>(std::countr_zero(place));
    const std::size_t field = bit / 64 * layout.fields + in_word / layout.width;
    const std::size_t highest = std::size_t{1} << (in_word % layout.width);
    for (std::size_t pattern = 0; pattern < layout.entries; ++pattern) {
      sums[field * layout.entries + pattern] += (pattern & highest) != 0 ? bit_weights[bit] : 0.0F;
    }
  }
  return sums;
}

}  // namespace

WeightSums::WeightSums(std::span<const float> bit_weights)
    : table_(bit_weights),
      words_((bit_weights.size() + 63) / 64),
      below_dropped_(below_lightest(bit_weights, field_layout().drops_a_bit)),
      field_sums_(pattern_sums(bit_weights, below_dropped_, field_layout())),
      half_byte_sums_(
          pattern_sums(bit_weights, std::vector<std::uint64_t>(words_, ~std::uint64_t{0}),
                       {.fields = 16, .width = 4, .entries = 16, .drops_a_bit = false})) {
  double total = 0.0;
  for (const float weight : bit_weights) {
    total += weight;
  }
  max_distance_ = static_cast<float>(
      std::min(total * rounding_room(words_), double{std::numeric_limits<float>::max()}));
}

std::unique_ptr<BlockScanner> make_weighted_scanner(const QueryCodes& queries,
                                                    const WeightSums& weights) {
  if (queries.size() < kMinSplit && can_bound_directly(weights.words())) {
    return std::make_unique<DirectScanner>(queries, weights);
  }
  return std::make_unique<SplitScanner>(queries, weights);
}

}  // namespace structhash::search
