#include "search/two_stage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "search/checks.hpp"
#include "search/scan/flat_scan.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash::search {
namespace {

class TwoStage final : public SearchEngine {
 public:
  TwoStage(const CodeSpan& codes, std::span<const float> bit_weights, Index candidates,
           std::unique_ptr<SearchEngine> first)
      : codes_(codes),
        weights_(bit_weights),
        candidates_(candidates),
        first_(first ? std::move(first) : make_flat_scan(codes)) {}

  Neighbours nearest(const CodeSpan& queries, Index k,
                     const SearchOptions& options) const override {
    check_queries(codes_, queries);
    check_options(codes_, options);
    check_k(k);
    Neighbours lists = ranked(queries, std::max(k, candidates_), options);
    for (auto& list : lists) {
      list.resize(std::min(list.size(), static_cast<std::size_t>(k)));
    }
    return lists;
  }

  Neighbours within(const CodeSpan& queries, float radius,
                    const SearchOptions& options) const override {
    check_queries(codes_, queries);
    check_options(codes_, options);
    check_radius(radius);
    Neighbours lists = ranked(queries, candidates_, options);
    for (auto& list : lists) {
      std::erase_if(list, [&](const Neighbour& found) { return found.distance > radius; });
    }
    return lists;
  }

  std::string_view name() const override { return "two-stage"; }

 private:
  /// The candidates of every query in order of weighted distance.
  Neighbours ranked(const CodeSpan& queries, Index candidates, const SearchOptions& options) const {
    Neighbours lists = first_->nearest(queries, candidates, options);
    parallel_for(queries.rows, options.threads, 16, [&](Index begin, Index end) {
      for (Index query = begin; query < end; ++query) {
        auto& list = lists[static_cast<std::size_t>(query)];
        for (Neighbour& found : list) {
          found.distance = weights_.distance(queries.row(query), codes_.row(found.row));
        }
        std::ranges::sort(list);
      }
    });
    return lists;
  }

  CodeSpan codes_;
  WeightTable weights_;
  Index candidates_;
  std::unique_ptr<SearchEngine> first_;
};

/// sum_j (q_j - x_j)^2 or -sum_j q_j x_j.
double compare(std::span<const float> query, std::span<const float> vector,
               VectorDistance distance) {
  double sum = 0.0;
  for (std::size_t j = 0; j < query.size(); ++j) {
    const double q = query[j];
    const double x = vector[j];
    sum += distance == VectorDistance::squared_l2 ? (q - x) * (q - x) : -q * x;
  }
  return sum;
}

}  // namespace

std::unique_ptr<SearchEngine> make_two_stage(const CodeSpan& codes,
                                             std::span<const float> bit_weights, Index candidates,
                                             std::unique_ptr<SearchEngine> first) {
  check_codes(codes);
  check_weight_count(codes, bit_weights);
  require(candidates >= 1, fmt::format("candidates must be 1 or more, got {}", candidates));
  return std::make_unique<TwoStage>(codes, bit_weights, candidates, std::move(first));
}

Neighbours rerank(const Neighbours& candidates, const MatrixView& queries,
                  const VectorSource& vector_of, VectorDistance distance, Index k, int threads) {
  require(std::ssize(candidates) == queries.rows(),
          fmt::format("{} lists of candidates for {} queries; one per query is needed",
                      candidates.size(), queries.rows()));
  check_k(k);
  Neighbours lists(candidates.size());
  parallel_for(queries.rows(), threads, 1, [&](Index begin, Index end) {
    std::vector<float> vector(static_cast<std::size_t>(queries.cols()));
    for (Index query = begin; query < end; ++query) {
      const std::span<const float> values(queries.row(query).data(), vector.size());
      auto& list = lists[static_cast<std::size_t>(query)];
      for (const Neighbour& candidate : candidates[static_cast<std::size_t>(query)]) {
        vector_of(candidate.row, vector);
        list.push_back({static_cast<float>(compare(values, vector, distance)), candidate.row});
      }
      std::ranges::sort(list);
      list.resize(std::min(list.size(), static_cast<std::size_t>(k)));
    }
  });
  return lists;
}

}  // namespace structhash::search
