#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structhash/search/search_engine.hpp"

/// The tables of multi-index hashing: codes are cut into substrings, and each table holds the rows
/// sorted by the value of one substring.
namespace structhash::search {

/// Bits first .. first + length - 1 of a code.
struct Substring {
  Index first = 0;
  Index length = 0;
};

/// The value of a substring of a code.
std::uint32_t substring_value(CodeView code, const Substring& substring);

class BucketTables {
 public:
  static constexpr Index kMaxLength = 24;  // bits of a substring

  /// `substrings` = 0 chooses the number: long enough that a bucket holds about one code, short
  /// enough that codes and tables need no more than four times the memory of the codes (from 65,536
  /// rows on).
  static BucketTables build(const CodeSpan& codes, Index substrings, int threads);

  /// A view of tables stored elsewhere, for example in a mapped file; checks only their sizes.
  static BucketTables view(Index rows, Index bits, Index substrings,
                           std::span<const std::uint32_t> starts,
                           std::span<const std::uint32_t> row_numbers);

  BucketTables(BucketTables&&) noexcept = default;
  BucketTables& operator=(BucketTables&&) noexcept = default;
  BucketTables(const BucketTables&) = delete;
  BucketTables& operator=(const BucketTables&) = delete;

  Index rows() const { return rows_; }
  Index bits() const { return bits_; }
  std::span<const Substring> substrings() const { return substrings_; }

  /// The rows whose substring has this value, ascending.  Throws Errc::corrupt_file if damaged
  /// tables point out of range.
  std::span<const std::uint32_t> bucket(std::size_t table, std::uint32_t value) const {
    const std::uint32_t* start = starts_at(table, value);
    if (start[0] > start[1] || start[1] > static_cast<std::uint64_t>(rows_)) {
      fail_damaged();
    }
    return numbers_.subspan(table * static_cast<std::size_t>(rows_) + start[0],
                            start[1] - start[0]);
  }
  /// The first address that `bucket` reads: for prefetching.
  const std::uint32_t* starts_at(std::size_t table, std::uint32_t value) const {
    return starts_.data() + offsets_[table] + value;
  }

  /// For each table, 2^length + 1 positions in its row numbers.
  std::span<const std::uint32_t> starts() const { return starts_; }
  /// For each table, every row number once.
  std::span<const std::uint32_t> row_numbers() const { return numbers_; }
  std::size_t bytes() const { return starts_.size_bytes() + numbers_.size_bytes(); }

  /// Reads all tables; throws Errc::corrupt_file if one points out of range.
  void verify() const;
  [[noreturn]] static void fail_damaged();

 private:
  BucketTables(Index rows, Index bits, Index substrings);
  void fill(const CodeSpan& codes, std::size_t table);

  Index rows_;
  Index bits_;
  std::vector<Substring> substrings_;
  std::vector<std::size_t> offsets_;  // of a table in starts_; one more than there are tables
  std::vector<std::uint32_t> owned_starts_;
  std::vector<std::uint32_t> owned_numbers_;
  std::span<const std::uint32_t> starts_;
  std::span<const std::uint32_t> numbers_;
};

}  // namespace structhash::search
