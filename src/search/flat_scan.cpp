#include "structhash/search/flat_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "search/group_search.hpp"
#include "search/hamming_scanner.hpp"
#include "search/row_sample.hpp"
#include "search/weighted_scanner.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

using scan::GroupSearch;
using scan::QueryCodes;
using scan::RowSample;
using scan::ScannerFactory;
using scan::WeightSums;

constexpr Index kLargestGroup = 512;  // queries whose lists stay in the cache
constexpr Index kSmallestGroup = 64;  // smaller ones do not pay for slicing blocks
constexpr Index kSmallestPart = 1 << 15;

void check_database(const CodeSpan& database) {
  require(database.rows >= 0 && database.bits >= 0 && (database.bits > 0 || database.rows == 0),
          "flat scan: codes need at least 1 bit");
  require(std::ssize(database.words) == database.rows * database.words_per_code(),
          fmt::format("flat scan: {} words given for {} codes of {} bits; {} expected",
                      database.words.size(), database.rows, database.bits,
                      database.rows * database.words_per_code()));
}

void check_search(const CodeSpan& database, const CodeSpan& queries, const SearchOptions& options) {
  require(queries.bits == database.bits || database.rows == 0 || queries.rows == 0,
          fmt::format("search: the queries have {} bits, the database {}; encode both with the "
                      "same model",
                      queries.bits, database.bits));
  require(std::ssize(queries.words) == queries.rows * queries.words_per_code(),
          "search: the number of query words does not fit rows and bits");
  require(options.threads >= 1, "search: the number of threads must be at least 1");
  const Index bitmap_words = (database.rows + 63) / 64;
  require(options.allowed.empty() || std::ssize(options.allowed) == bitmap_words,
          fmt::format("search: the bitmap of allowed rows has {} words; {} rows need {}",
                      options.allowed.size(), database.rows, bitmap_words));
}

class FlatScan final : public SearchEngine {
 public:
  explicit FlatScan(const CodeSpan& database)
      : database_(database),
        sample_(database),
        make_scanner_([bits = database.bits](const QueryCodes& queries) {
          return scan::make_hamming_scanner(queries, bits);
        }) {}

  FlatScan(const CodeSpan& database, std::span<const float> bit_weights)
      : database_(database),
        sample_(database),
        weights_(std::make_unique<WeightSums>(bit_weights)),
        make_scanner_([weights = weights_.get()](const QueryCodes& queries) {
          return scan::make_weighted_scanner(queries, *weights);
        }) {}

  Neighbours nearest(const CodeSpan& queries, Index k,
                     const SearchOptions& options) const override {
    require(k >= 1, fmt::format("search: k is {}; it must be at least 1", k));
    return search(queries, options, [k](const GroupSearch& group, const QueryCodes& codes) {
      return group.nearest(codes, static_cast<std::size_t>(k));
    });
  }

  Neighbours within(const CodeSpan& queries, float radius,
                    const SearchOptions& options) const override {
    require(radius >= 0.0F, fmt::format("search: the radius is {}; it must be 0 or more", radius));
    return search(queries, options, [radius](const GroupSearch& group, const QueryCodes& codes) {
      return group.within(codes, radius);
    });
  }

  std::string_view name() const override { return "flat scan"; }

 private:
  /// Many queries: groups of them in parallel.  Few: one after the other, rows in parallel.
  template <typename SearchGroup>
  Neighbours search(const CodeSpan& queries, const SearchOptions& options,
                    const SearchGroup& search_group) const {
    check_search(database_, queries, options);
    Neighbours found(static_cast<std::size_t>(queries.rows));
    if (queries.rows == 0 || database_.rows == 0) {
      return found;
    }
    const bool few = queries.rows < kSmallestGroup * options.threads;
    const Index groups = few ? 1 : group_count(queries.rows, options.threads);
    const Index grain = (queries.rows + groups - 1) / groups;
    const GroupSearch group(database_, sample_, make_scanner_, options.allowed,
                            few ? part_count(options.threads) : 1);
    parallel_for(few ? 0 : queries.rows, options.threads, grain, [&](Index begin, Index end) {
      search_into(search_group, group, queries, begin, end, found);
    });
    if (few) {
      search_into(search_group, group, queries, 0, queries.rows, found);
    }
    return found;
  }

  template <typename SearchGroup>
  static void search_into(const SearchGroup& search_group, const GroupSearch& group,
                          const CodeSpan& queries, Index begin, Index end, Neighbours& found) {
    QueryCodes codes;
    for (Index query = begin; query < end; ++query) {
      codes.push_back(queries.row(query).data());
    }
    Neighbours lists = search_group(group, codes);
    std::ranges::move(lists, found.begin() + begin);
  }

  /// As many as the threads share evenly.
  static Index group_count(Index queries, Index threads) {
    const Index groups = (queries + kLargestGroup - 1) / kLargestGroup;
    return (groups + threads - 1) / threads * threads;
  }
  int part_count(int threads) const {
    return static_cast<int>(std::clamp<Index>(database_.rows / kSmallestPart, 1, threads));
  }

  CodeSpan database_;
  RowSample sample_;
  std::unique_ptr<WeightSums> weights_;
  ScannerFactory make_scanner_;
};

}  // namespace

std::unique_ptr<SearchEngine> make_flat_scan(const CodeSpan& database) {
  check_database(database);
  return std::make_unique<FlatScan>(database);
}

std::unique_ptr<SearchEngine> make_flat_scan(const CodeSpan& database,
                                             std::span<const float> bit_weights) {
  check_database(database);
  require(std::ssize(bit_weights) == database.bits,
          fmt::format("flat scan: {} bit weights given for codes of {} bits; one per bit needed",
                      bit_weights.size(), database.bits));
  return std::make_unique<FlatScan>(database, bit_weights);
}

}  // namespace structhash
