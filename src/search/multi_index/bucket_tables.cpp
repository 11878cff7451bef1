#include "search/multi_index/bucket_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "search/checks.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash::search {
namespace {

std::vector<Substring> cut(Index bits, Index count) {
  std::vector<Substring> substrings;
  for (Index i = 0; i < count; ++i) {
    const Index first = bits * i / count;
    substrings.push_back({first, bits * (i + 1) / count - first});
  }
  return substrings;
}

Index bucket_count(const Substring& substring) {
  return Index{1} << static_cast<unsigned>(substring.length);
}

/// Bytes of the tables for `count` substrings.
Index table_bytes(Index rows, Index bits, Index count) {
  Index bytes = 4 * rows * count;
  for (const Substring& substring : cut(bits, count)) {
    bytes += 4 * (bucket_count(substring) + 1);
  }
  return bytes;
}

/// Norouzi, Punjani, Fleet (2014) advise bits / log2 n substrings.  Few rows get more and shorter
/// ones, so that the tables stay small.
Index choose_count(Index rows, Index bits) {
  const auto log2_rows = static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(rows)));
  const Index longest = std::clamp<Index>(log2_rows, 1, BucketTables::kMaxLength);
  const Index min_count = (bits + longest - 1) / longest;
  // Three times the codes, less the room for the flip orders.
  const Index room = 3 * rows * ((bits + 63) / 64) * 8 * 15 / 16;
  Index best = min_count;
  for (Index count = min_count; count <= std::max(min_count, bits / 8); ++count) {
    const Index bytes = table_bytes(rows, bits, count);
    if (bytes <= room) {
      return count;
    }
    if (bytes < table_bytes(rows, bits, best)) {
      best = count;
    }
  }
  return best;
}

}  // namespace

std::uint32_t substring_value(CodeView code, const Substring& substring) {
  const auto word = static_cast<std::size_t>(substring.first / 64);
  const auto shift = static_cast<unsigned>(substring.first % 64);
  std::uint64_t value = code[word] >> shift;
  if (shift + static_cast<unsigned>(substring.length) > 64) {
    value |= code[word + 1] << (64 - shift);
  }
  return static_cast<std::uint32_t>(value) &
         ((std::uint32_t{1} << static_cast<unsigned>(substring.length)) - 1);
}

BucketTables::BucketTables(Index rows, Index bits, Index substrings)
    : rows_(rows), bits_(bits), substrings_(cut(bits, substrings)), offsets_{0} {
  for (const Substring& substring : substrings_) {
    offsets_.push_back(offsets_.back() + static_cast<std::size_t>(bucket_count(substring)) + 1);
  }
}

BucketTables BucketTables::build(const CodeSpan& codes, Index substrings, int threads) {
  check_codes(codes);
  require(codes.rows <= Index{std::numeric_limits<std::uint32_t>::max()},
          fmt::format("a multi-index holds at most 4,294,967,295 codes, got {}; use a scan",
                      codes.rows));
  const Index count = substrings > 0 ? substrings : choose_count(codes.rows, codes.bits);
  require(count <= codes.bits && (codes.bits + count - 1) / count <= kMaxLength,
          fmt::format("{} bits cannot be cut into {} substrings of 1 to {} bits", codes.bits, count,
                      kMaxLength));
  BucketTables tables(codes.rows, codes.bits, count);
  tables.owned_starts_.resize(tables.offsets_.back());
  tables.owned_numbers_.resize(static_cast<std::size_t>(count * codes.rows));
  tables.starts_ = tables.owned_starts_;
  tables.numbers_ = tables.owned_numbers_;
  parallel_for(count, threads, 1, [&](Index begin, Index end) {
    for (Index table = begin; table < end; ++table) {
      tables.fill(codes, static_cast<std::size_t>(table));
    }
  });
  return tables;
}

BucketTables BucketTables::view(Index rows, Index bits, Index substrings,
                                std::span<const std::uint32_t> starts,
                                std::span<const std::uint32_t> row_numbers) {
  if (substrings < 1 || substrings > bits || (bits + substrings - 1) / substrings > kMaxLength) {
    fail_damaged();
  }
  BucketTables tables(rows, bits, substrings);
  if (starts.size() != tables.offsets_.back() || std::ssize(row_numbers) / substrings != rows ||
      std::ssize(row_numbers) % substrings != 0) {
    fail_damaged();
  }
  tables.starts_ = starts;
  tables.numbers_ = row_numbers;
  return tables;
}

/// Counting sort: rows of equal value stay in ascending order.
void BucketTables::fill(const CodeSpan& codes, std::size_t table) {
  const Substring substring = substrings_[table];
  std::uint32_t* starts = owned_starts_.data() + offsets_[table];
  std::uint32_t* numbers = owned_numbers_.data() + table * static_cast<std::size_t>(rows_);
  // Until the rows are placed, starts[v + 1] is where the next row of value v goes.
  const auto buckets = static_cast<std::size_t>(bucket_count(substring));
  for (Index row = 0; row < rows_; ++row) {
    const std::size_t value = substring_value(codes.row(row), substring);
    if (value + 2 <= buckets) {
      ++starts[value + 2];
    }
  }
  for (std::size_t value = 2; value <= buckets; ++value) {
    starts[value] += starts[value - 1];
  }
  for (Index row = 0; row < rows_; ++row) {
    const std::size_t value = substring_value(codes.row(row), substring);
    numbers[starts[value + 1]++] = static_cast<std::uint32_t>(row);
  }
}

void BucketTables::verify() const {
  for (std::size_t table = 0; table < substrings_.size(); ++table) {
    const auto starts = starts_.subspan(offsets_[table], offsets_[table + 1] - offsets_[table]);
    if (starts.front() != 0 || starts.back() != rows_ || !std::ranges::is_sorted(starts)) {
      fail_damaged();
    }
  }
  const auto outside = [this](std::uint32_t row) { return row >= rows_; };
  if (std::ranges::any_of(numbers_, outside)) {
    fail_damaged();
  }
}

void BucketTables::fail_damaged() {
  fail(Errc::corrupt_file, "the tables of the index are damaged: they are inconsistent");
}

}  // namespace structhash::search
