#include "search/scan/flat_scan.hpp"

#include <algorithm>

#include "search/checks.hpp"
#include "search/scan/group_search.hpp"
#include "search/scan/hamming_scanner.hpp"
#include "search/scan/row_sample.hpp"
#include "search/scan/weighted_scanner.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash::search {
namespace {

constexpr Index kMaxGroup = 512;  // queries whose lists stay in the cache
constexpr Index kMinGroup = 64;   // for smaller ones slicing blocks costs more than it saves

class FlatScan final : public SearchEngine {
 public:
  explicit FlatScan(const CodeSpan& database)
      : database_(database),
        sample_(database),
        make_scanner_([bits = database.bits](const QueryCodes& queries) {
          return make_hamming_scanner(queries, bits);
        }) {}

  FlatScan(const CodeSpan& database, std::span<const float> bit_weights)
      : database_(database),
        sample_(database),
        weights_(std::make_unique<WeightSums>(bit_weights)),
        make_scanner_([weights = weights_.get()](const QueryCodes& queries) {
          return make_weighted_scanner(queries, *weights);
        }) {}

  Neighbours nearest(const CodeSpan& queries, Index k,
                     const SearchOptions& options) const override {
    check_k(k);
    return search(
        queries, options,
        [k = std::min(k, database_.rows)](const GroupSearch& group, const QueryCodes& codes) {
          return group.nearest(codes, static_cast<std::size_t>(k));
        });
  }

  Neighbours within(const CodeSpan& queries, float radius,
                    const SearchOptions& options) const override {
    check_radius(radius);
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
    check_queries(database_, queries);
    check_options(database_, options);
    Neighbours found(static_cast<std::size_t>(queries.rows));
    if (queries.rows == 0 || database_.rows == 0) {
      return found;
    }
    const bool few = queries.rows < kMinGroup * options.threads;
    const int parts = few ? part_count(database_.rows, options.threads) : 1;
    const GroupSearch group(database_, sample_, make_scanner_, options.allowed, parts);
    const auto search_queries = [&](Index begin, Index end) {
      QueryCodes codes;
      for (Index query = begin; query < end; ++query) {
        codes.push_back(queries.row(query).data());
      }
      std::ranges::move(search_group(group, codes), found.begin() + begin);
    };
    if (few) {
      search_queries(0, queries.rows);
    } else {
      const Index groups = group_count(queries.rows, options.threads);
      parallel_for(queries.rows, options.threads, (queries.rows + groups - 1) / groups,
                   search_queries);
    }
    return found;
  }

  /// A multiple of the number of threads.
  static Index group_count(Index queries, Index threads) {
    const Index groups = (queries + kMaxGroup - 1) / kMaxGroup;
    return (groups + threads - 1) / threads * threads;
  }

  CodeSpan database_;
  RowSample sample_;
  std::unique_ptr<WeightSums> weights_;
  ScannerFactory make_scanner_;
};

}  // namespace

std::unique_ptr<SearchEngine> make_flat_scan(const CodeSpan& database) {
  check_codes(database);
  return std::make_unique<FlatScan>(database);
}

std::unique_ptr<SearchEngine> make_flat_scan(const CodeSpan& database,
                                             std::span<const float> bit_weights) {
  check_codes(database);
  check_weight_count(database, bit_weights);
  return std::make_unique<FlatScan>(database, bit_weights);
}

}  // namespace structhash::search
