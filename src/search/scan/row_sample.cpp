#include "search/scan/row_sample.hpp"

#include <algorithm>
#include <cmath>

#include "search/scan/scan_rows.hpp"

namespace structhash::search {
namespace {

/// Rows of the sample: a 64th of the database up to 2^14, a 256th up to 2^16; whole blocks.
Index sample_size(Index rows) {
  const Index wanted = std::max(std::min<Index>(rows / 64, Index{1} << 14),
                                std::min<Index>(rows / 256, Index{1} << 16));
  return wanted / static_cast<Index>(kBlockRows) * static_cast<Index>(kBlockRows);
}

/// Sample rows that a limit must include: k of n rows are k s / n of s sample rows on average.
/// Some more, because a limit that is too low costs a second scan.
std::size_t needed_rows(std::size_t k, Index sample, Index database) {
  return static_cast<std::size_t>(
      std::ceil(1.3 * static_cast<double>(k) * to_double(sample) / to_double(database) + 3.0));
}

/// Limits of some queries, found by scanning the sample for its `needed` nearest rows.
class Guess {
 public:
  Guess(const CodeSpan& sample, std::span<const std::uint64_t> allowed, std::size_t needed,
        const QueryCodes& queries, const ScannerFactory& make_scanner)
      : sample_(sample),
        allowed_(allowed),
        needed_(needed),
        queries_(queries),
        make_scanner_(make_scanner),
        limits_(queries.size(), kNoLimit) {}

  /// Finds the limits of `which` that are below `start`; returns the queries where `start` was too
  /// low.
  std::vector<std::size_t> find(const std::vector<std::size_t>& which, float start) {
    QueryCodes codes;
    for (const std::size_t query : which) {
      codes.push_back(queries_[query]);
    }
    std::vector<FoundList> lists(which.size());
    for (FoundList& list : lists) {
      list.limit = start;
    }
    const auto scanner = make_scanner_(codes);
    scan_rows(*scanner, sample_, {.begin = 0, .end = sample_.rows}, allowed_, needed_, lists);
    std::vector<std::size_t> missed;
    for (std::size_t i = 0; i < which.size(); ++i) {
      if (lists[i].size() >= needed_) {
        limits_[which[i]] = lists[i].kth_distance(needed_);
      } else {
        missed.push_back(which[i]);
      }
    }
    return missed;
  }

  const std::vector<float>& limits() const { return limits_; }

 private:
  const CodeSpan& sample_;
  std::span<const std::uint64_t> allowed_;
  std::size_t needed_;
  const QueryCodes& queries_;
  const ScannerFactory& make_scanner_;
  std::vector<float> limits_;
};

}  // namespace

RowSample::RowSample(const CodeSpan& database)
    : database_rows_(database.rows), rows_(sample_size(database.rows)), bits_(database.bits) {
  words_.reserve(static_cast<std::size_t>(rows_ * database.words_per_code()));
  for (Index i = 0; i < rows_; ++i) {
    const CodeView code = database.row(i * database_rows_ / rows_);
    words_.insert(words_.end(), code.begin(), code.end());
  }
}

std::vector<std::uint64_t> RowSample::sampled_rows(std::span<const std::uint64_t> allowed) const {
  std::vector<std::uint64_t> bits(allowed.empty() ? 0 : static_cast<std::size_t>(rows_) / 64);
  for (std::size_t i = 0; i < 64 * bits.size(); ++i) {
    const auto row = static_cast<std::size_t>(static_cast<Index>(i) * database_rows_ / rows_);
    bits[i / 64] |= ((allowed[row / 64] >> (row % 64)) & 1U) << (i % 64);
  }
  return bits;
}

std::vector<float> RowSample::guess_limits(const QueryCodes& queries,
                                           const ScannerFactory& make_scanner, std::size_t k,
                                           std::span<const std::uint64_t> allowed) const {
  const std::size_t needed = rows_ > 0 ? needed_rows(k, rows_, database_rows_) : 0;
  if (rows_ == 0 || 2 * needed > static_cast<std::size_t>(rows_)) {
    return std::vector<float>(queries.size(), kNoLimit);
  }
  const CodeSpan sample = span();
  const std::vector<std::uint64_t> sample_allowed = sampled_rows(allowed);
  Guess guess(sample, sample_allowed, needed, queries, make_scanner);
  // A few queries scan without a limit, which is slow; their limits, widened, start the others.
  std::vector<std::size_t> pilots;
  std::vector<std::size_t> others;
  for (std::size_t query = 0; query < queries.size(); ++query) {
    (query % 64 == 0 ? pilots : others).push_back(query);
  }
  guess.find(pilots, kNoLimit);
  float widest = 0.0F;
  for (const std::size_t query : pilots) {
    widest = std::max(widest, guess.limits()[query]);
  }
  if (!others.empty()) {
    const std::vector<std::size_t> missed = guess.find(others, 1.1F * widest);
    if (!missed.empty()) {
      guess.find(missed, kNoLimit);
    }
  }
  return guess.limits();
}

}  // namespace structhash::search
