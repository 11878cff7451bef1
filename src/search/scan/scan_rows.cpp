#include "search/scan/scan_rows.hpp"

#include <bit>

namespace structhash::search {
namespace {

/// The rows of a block that exist and are allowed.
BlockMask allowed_rows(std::span<const std::uint64_t> allowed, Index first_row, std::size_t rows) {
  BlockMask mask;
  for (std::size_t word = 0; 64 * word < rows; ++word) {
    const std::size_t left = rows - 64 * word;
    const std::uint64_t exist = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    const std::size_t at = static_cast<std::size_t>(first_row) / 64 + word;
    mask.words[word] = exist & (allowed.empty() ? exist : allowed[at]);
  }
  return mask;
}

class RangeScan {
 public:
  RangeScan(BlockScanner& scanner, const CodeSpan& codes, RowRange range,
            std::span<const std::uint64_t> allowed, std::optional<std::size_t> k,
            std::vector<FoundList>& lists)
      : scanner_(scanner),
        codes_(codes),
        words_per_code_(static_cast<std::size_t>(codes.words_per_code())),
        range_(range),
        allowed_(allowed),
        k_(k),
        lists_(lists),
        block_allowed_(allowed_rows({}, 0, kBlockRows)),
        log_(lists.size()) {}

  void run() {
    update_limits();
    Index blocks = 0;
    Index next_update = 1;
    for (Index row = range_.begin; row < range_.end; row += static_cast<Index>(kBlockRows)) {
      scan_block(row);
      if (++blocks == next_update) {  // at growing intervals: later updates gain less
        next_update = blocks + 1 + blocks / 2;
        if (k_ && tighten_lists(*k_ + *k_ / 2)) {
          update_limits();
        }
      }
    }
  }

 private:
  void update_limits() {
    limits_.clear();
    for (const FoundList& list : lists_) {
      limits_.push_back(list.limit);
    }
    scanner_.set_limits(limits_);
  }

  bool tighten_lists(std::size_t min_size) {
    bool changed = false;
    for (FoundList& list : lists_) {
      if (list.size() >= min_size) {
        list.tighten(*k_);
        changed = true;
      }
    }
    return changed;
  }

  void scan_block(Index first_row) {
    const auto rows = static_cast<std::size_t>(std::min<Index>(kBlockRows, range_.end - first_row));
    const std::uint64_t* block =
        codes_.words.data() + static_cast<std::size_t>(first_row) * words_per_code_;
    if (rows < kBlockRows) {  // kernels take whole blocks only
      padded_.assign(kBlockRows * words_per_code_, 0);
      std::copy_n(block, rows * words_per_code_, padded_.begin());
      block = padded_.data();
    }
    if (!allowed_.empty() || rows < kBlockRows) {
      block_allowed_ = allowed_rows(allowed_, first_row, rows);
    }
    log_.clear();
    scanner_.scan_block(block, block_allowed_, log_);
    for (std::size_t entry = 0; entry < log_.size(); ++entry) {
      collect(entry, block, static_cast<std::size_t>(first_row - range_.begin));
    }
  }

  void collect(std::size_t entry, const std::uint64_t* block, std::size_t rows_before) {
    const std::size_t query = log_.query(entry);
    const BlockMask& mask = log_.mask(entry);
    FoundList& list = lists_[query];
    for (std::size_t word = 0; word < kBlockRows / 64; ++word) {
      for (std::uint64_t left = mask.words[word]; left != 0; left &= left - 1) {
        const std::size_t row = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
        list.offer(scanner_.distance(query, block + row * words_per_code_), rows_before + row);
      }
    }
    if (k_ && list.size() >= 4 * *k_ + 4 * kBlockRows) {  // between two updates: bounds the memory
      list.tighten(*k_);
    }
  }

  BlockScanner& scanner_;
  const CodeSpan& codes_;
  std::size_t words_per_code_;
  RowRange range_;
  std::span<const std::uint64_t> allowed_;
  std::optional<std::size_t> k_;
  std::vector<FoundList>& lists_;
  BlockMask block_allowed_;
  SurvivorLog log_;
  std::vector<float> limits_;
  std::vector<std::uint64_t> padded_;
};

}  // namespace

void scan_rows(BlockScanner& scanner, const CodeSpan& codes, RowRange range,
               std::span<const std::uint64_t> allowed, std::optional<std::size_t> k,
               std::vector<FoundList>& lists) {
  RangeScan(scanner, codes, range, allowed, k, lists).run();
}

}  // namespace structhash::search
