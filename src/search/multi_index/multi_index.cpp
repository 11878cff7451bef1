#include "search/multi_index/multi_index.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "search/checks.hpp"
#include "search/multi_index/bucket_walk.hpp"
#include "search/scan/flat_scan.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash::search {
namespace {

/// Words that a scan reads in the time of one bucket or row fetched from anywhere in memory.
constexpr double kScanWordsPerVisit = 64.0;

/// A float sum of terms of one sign, each in at most t additions, is off by at most t 2^-24 of its
/// value.  Here t <= 7 inside a byte and bits / 8 over the bytes; twice that, to be safe.
double rounding_of(Index bits, bool weighted) {
  return weighted ? 1.0 - (to_double(bits) / 8.0 + 16.0) * std::ldexp(1.0, -23) : 1.0;
}

class MultiIndex final : public SearchEngine {
 public:
  MultiIndex(CodeSpan codes, std::span<const float> bit_weights,
             std::shared_ptr<const BucketTables> tables, const MultiIndexOptions& options)
      : codes_(codes),
        tables_(std::move(tables)),
        scan_(bit_weights.empty() ? make_flat_scan(codes) : make_flat_scan(codes, bit_weights)) {
    if (!bit_weights.empty()) {
      weights_.emplace(bit_weights);
    }
    const double visits =
        options.patience * to_double(codes.rows * codes.words_per_code()) / kScanWordsPerVisit;
    budget_ = static_cast<std::size_t>(std::clamp(visits, 1.0, 1e15));
    const std::vector<float> ones(static_cast<std::size_t>(codes.bits), 1.0F);
    const auto costs = bit_weights.empty() ? std::span<const float>(ones) : bit_weights;
    for (const Substring& part : tables_->substrings()) {
      orders_.push_back(make_flip_order(costs.subspan(static_cast<std::size_t>(part.first),
                                                      static_cast<std::size_t>(part.length)),
                                        affordable_buckets(part)));
    }
  }

  Neighbours nearest(const CodeSpan& queries, Index k,
                     const SearchOptions& options) const override {
    check_queries(codes_, queries);
    check_options(codes_, options);
    check_k(k);
    if (k >= codes_.rows) {  // the walk would visit every row
      return scan_->nearest(queries, k, options);
    }
    return search(
        queries, options, [&] { return ResultList::nearest(k); },
        [&](const CodeSpan& rest) { return scan_->nearest(rest, k, options); });
  }

  Neighbours within(const CodeSpan& queries, float radius,
                    const SearchOptions& options) const override {
    check_queries(codes_, queries);
    check_options(codes_, options);
    check_radius(radius);
    return search(
        queries, options, [&] { return ResultList::within(radius); },
        [&](const CodeSpan& rest) { return scan_->within(rest, radius, options); });
  }

  std::string_view name() const override { return "multi-index"; }

 private:
  /// Number of average buckets that use up the budget in one table.
  std::size_t affordable_buckets(const Substring& part) const {
    const double rows_per_bucket =
        std::ldexp(to_double(codes_.rows), -static_cast<int>(part.length));
    return 1 + static_cast<std::size_t>(static_cast<double>(budget_) / (1.0 + rows_per_bucket));
  }

  /// Walks the buckets for every query; queries over budget share one scan.
  template <typename MakeList, typename Scan>
  Neighbours search(const CodeSpan& queries, const SearchOptions& options, MakeList make_list,
                    Scan scan) const {
    const BucketWalkData data{.codes = codes_,
                              .tables = tables_.get(),
                              .orders = orders_,
                              .weights = weights_ ? &*weights_ : nullptr,
                              .rounding = rounding_of(codes_.bits, weights_.has_value()),
                              .budget = budget_};
    Neighbours result(static_cast<std::size_t>(queries.rows));
    std::vector<char> over_budget(result.size(), 0);
    parallel_for(queries.rows, options.threads, 1, [&](Index begin, Index end) {
      for (Index query = begin; query < end; ++query) {
        const auto i = static_cast<std::size_t>(query);
        ResultList list = make_list();
        if (walk_buckets(data, queries.row(query), options.allowed, list)) {
          result[i] = list.take();
        } else {
          over_budget[i] = 1;
        }
      }
    });
    std::vector<std::uint64_t> words;
    for (Index query = 0; query < queries.rows; ++query) {
      if (over_budget[static_cast<std::size_t>(query)] != 0) {
        const CodeView row = queries.row(query);
        words.insert(words.end(), row.begin(), row.end());
      }
    }
    if (words.empty()) {
      return result;
    }
    const Index rest = std::ssize(words) / codes_.words_per_code();
    Neighbours scanned = scan(CodeSpan(words, rest, codes_.bits));
    auto next = scanned.begin();
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (over_budget[i] != 0) {
        result[i] = std::move(*next++);
      }
    }
    return result;
  }

  CodeSpan codes_;
  std::shared_ptr<const BucketTables> tables_;
  std::unique_ptr<SearchEngine> scan_;
  std::optional<WeightTable> weights_;
  std::size_t budget_ = 0;
  std::vector<FlipOrder> orders_;
};

}  // namespace

std::unique_ptr<SearchEngine> make_multi_index(CodeSpan codes, std::span<const float> bit_weights,
                                               const MultiIndexOptions& options) {
  auto tables = std::make_shared<const BucketTables>(
      BucketTables::build(codes, options.substrings, options.threads));
  return make_multi_index(codes, bit_weights, std::move(tables), options);
}

std::unique_ptr<SearchEngine> make_multi_index(CodeSpan codes, std::span<const float> bit_weights,
                                               std::shared_ptr<const BucketTables> tables,
                                               const MultiIndexOptions& options) {
  check_codes(codes);
  require(tables != nullptr && tables->rows() == codes.rows && tables->bits() == codes.bits,
          "the tables were built for other codes");
  if (!bit_weights.empty()) {
    check_weight_count(codes, bit_weights);
  }
  return std::make_unique<MultiIndex>(codes, bit_weights, std::move(tables), options);
}

}  // namespace structhash::search
