#include "structhash/search/flat_scan.hpp"

#include <algorithm>
#include <optional>

#include "search/query_checks.hpp"
#include "search/result_list.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

class FlatScan final : public SearchEngine {
 public:
  FlatScan(CodeSpan codes, std::optional<WeightTable> weights)
      : codes_(codes), weights_(std::move(weights)) {}

  Neighbours nearest(const CodeSpan& queries, Index k,
                     const SearchOptions& options) const override {
    check_query(codes_, queries, options);
    check_neighbour_count(k);
    return each(queries, options, [&] { return ResultList::nearest(k); });
  }

  Neighbours within(const CodeSpan& queries, float radius,
                    const SearchOptions& options) const override {
    check_query(codes_, queries, options);
    check_radius(radius);
    return each(queries, options, [&] { return ResultList::within(radius); });
  }

  std::string_view name() const override { return "scan"; }

 private:
  template <typename MakeList>
  Neighbours each(const CodeSpan& queries, const SearchOptions& options, MakeList make_list) const {
    Neighbours result(static_cast<std::size_t>(queries.rows));
    parallel_for(queries.rows, options.threads, 1, [&](Index begin, Index end) {
      for (Index query = begin; query < end; ++query) {
        ResultList list = make_list();
        for (Index row = 0; row < codes_.rows; ++row) {
          if (is_allowed(options.allowed, row)) {
            list.add({distance(queries.row(query), codes_.row(row)), row});
          }
        }
        result[static_cast<std::size_t>(query)] = list.take();
      }
    });
    return result;
  }

  float distance(CodeView a, CodeView b) const {
    return weights_ ? weights_->distance(a, b) : static_cast<float>(hamming(a, b));
  }

  CodeSpan codes_;
  std::optional<WeightTable> weights_;
};

}  // namespace

std::unique_ptr<SearchEngine> make_flat_scan(CodeSpan codes) {
  check_codes(codes);
  return std::make_unique<FlatScan>(codes, std::nullopt);
}

std::unique_ptr<SearchEngine> make_flat_scan(CodeSpan codes, std::span<const float> bit_weights) {
  check_codes(codes);
  check_weight_count(codes, bit_weights);
  return std::make_unique<FlatScan>(codes, WeightTable(bit_weights));
}

}  // namespace structhash
