#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "structhash/core/types.hpp"

/// The interface between a scan and its distance: a fast filter of whole blocks, and exact
/// distances.
namespace structhash::search {

inline constexpr std::size_t kBlockRows = 512;

/// One bit per row of a block.
struct alignas(64) BlockMask {
  std::uint64_t words[kBlockRows / 64] = {};

  /// Keeps only rows that are in `other`; true if any is left.
  bool keep(const BlockMask& other) {
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < kBlockRows / 64; ++word) {
      words[word] &= other.words[word];
      any |= words[word];
    }
    return any != 0;
  }
};

/// The queries that have survivors (rows that may be near enough) in a block.  Kernels write every
/// mask to the next free entry and advance only if it has a bit: no branch to mispredict.
class SurvivorLog {
 public:
  explicit SurvivorLog(std::size_t queries) : masks_(queries + 1), queries_(queries + 1) {}

  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  std::uint32_t query(std::size_t entry) const { return queries_[entry]; }
  const BlockMask& mask(std::size_t entry) const { return masks_[entry]; }

  BlockMask& next_mask() { return masks_[size_]; }
  void keep_if(bool any, std::uint32_t query) {
    queries_[size_] = query;
    size_ += any ? 1 : 0;
  }

 private:
  std::vector<BlockMask> masks_;
  std::vector<std::uint32_t> queries_;
  std::size_t size_ = 0;
};

/// A batch of queries, prepared for one kernel.  Used by one thread at a time.
class BlockScanner {
 public:
  virtual ~BlockScanner() = default;

  /// From now on rows at most `limits[i]` away from query i survive; negative: none do.
  virtual void set_limits(std::span<const float> limits) = 0;

  /// Logs the allowed rows of a whole block (kBlockRows codes) that may be within the limit of a
  /// query: every row that is, perhaps some that are not.
  virtual void scan_block(const std::uint64_t* codes, const BlockMask& allowed,
                          SurvivorLog& log) = 0;

  /// The exact distance between query i and a code.
  virtual float distance(std::size_t query, const std::uint64_t* code) const = 0;
};

using QueryCodes = std::vector<const std::uint64_t*>;
using ScannerFactory = std::function<std::unique_ptr<BlockScanner>(const QueryCodes& queries)>;

}  // namespace structhash::search
