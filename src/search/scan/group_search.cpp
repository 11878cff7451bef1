#include "search/scan/group_search.hpp"

#include <algorithm>

#include "structhash/core/parallel.hpp"

namespace structhash::search {
namespace {

/// Whole blocks, equal in size; row numbers within a range fit 32 bits.
std::vector<RowRange> cut_rows(Index rows, Index parts) {
  constexpr Index kMaxRows = Index{1} << 31;
  constexpr auto kBlock = static_cast<Index>(kBlockRows);
  const Index count = std::max(parts, (rows + kMaxRows - 1) / kMaxRows);
  const Index blocks = (rows + kBlock - 1) / kBlock;
  std::vector<RowRange> ranges;
  for (Index part = 0; part < count; ++part) {
    const RowRange range{.begin = blocks * part / count * kBlock,
                         .end = std::min(rows, blocks * (part + 1) / count * kBlock)};
    if (range.begin < range.end) {
      ranges.push_back(range);
    }
  }
  return ranges;
}

}  // namespace

int part_count(Index rows, int threads) {
  constexpr Index kMinPart = 1 << 15;  // scanning these takes as long as starting a thread
  return static_cast<int>(std::clamp<Index>(rows / kMinPart, 1, threads));
}

GroupSearch::GroupSearch(const CodeSpan& database, const RowSample& sample,
                         const ScannerFactory& make_scanner, std::span<const std::uint64_t> allowed,
                         int parts)
    : database_(database),
      sample_(sample),
      make_scanner_(make_scanner),
      allowed_(allowed),
      threads_(parts),
      ranges_(cut_rows(database.rows, parts)) {}

/// An estimated limit that includes at least k rows includes the k nearest.  Queries with fewer are
/// scanned again without a limit.
Neighbours GroupSearch::nearest(const QueryCodes& queries, std::size_t k) const {
  const std::vector<float> limits = sample_.guess_limits(queries, make_scanner_, k, allowed_);
  Neighbours found = scan_all(queries, k, limits);
  QueryCodes missed_codes;
  std::vector<std::size_t> missed;
  for (std::size_t query = 0; query < queries.size(); ++query) {
    if (found[query].size() < k && limits[query] != kNoLimit) {
      missed_codes.push_back(queries[query]);
      missed.push_back(query);
    }
  }
  if (!missed.empty()) {
    const std::vector<float> none(missed.size(), kNoLimit);
    Neighbours again = scan_all(missed_codes, k, none);
    for (std::size_t i = 0; i < missed.size(); ++i) {
      found[missed[i]] = std::move(again[i]);
    }
  }
  return found;
}

Neighbours GroupSearch::within(const QueryCodes& queries, float radius) const {
  return scan_all(queries, std::nullopt, std::vector<float>(queries.size(), radius));
}

/// Rows within their limits, the k nearest of them if there is a k, sorted.
Neighbours GroupSearch::scan_all(const QueryCodes& queries, std::optional<std::size_t> k,
                                 std::span<const float> limits) const {
  std::vector<std::vector<FoundList>> parts(ranges_.size());
  const auto scan_part = [&](Index begin, Index end) {
    for (auto part = static_cast<std::size_t>(begin); part < static_cast<std::size_t>(end);
         ++part) {
      std::vector<FoundList>& lists = parts[part];
      lists.resize(queries.size());
      for (std::size_t query = 0; query < queries.size(); ++query) {
        lists[query].limit = limits[query];
      }
      const auto scanner = make_scanner_(queries);
      scan_rows(*scanner, database_, ranges_[part], allowed_, k, lists);
      for (FoundList& list : lists) {
        if (k) {
          list.tighten(*k);
        }
        list.sort();
      }
    }
  };
  if (threads_ > 1) {
    parallel_for(std::ssize(ranges_), threads_, 1, scan_part);
  } else {
    scan_part(0, std::ssize(ranges_));
  }
  Neighbours found(queries.size());
  for (std::size_t query = 0; query < queries.size(); ++query) {
    std::vector<Neighbour>& list = found[query];
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const auto middle = std::ssize(list);
      parts[part][query].append_to(list, ranges_[part].begin);
      std::ranges::inplace_merge(list, list.begin() + middle);
    }
    if (k && list.size() > *k) {
      list.resize(*k);
    }
  }
  return found;
}

}  // namespace structhash::search
