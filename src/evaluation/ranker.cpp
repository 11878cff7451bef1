#include "evaluation/ranker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "evaluation/distance_rows.hpp"
#include "evaluation/group_items.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Running sums over distances; radii beyond the longest distance hold everything.
void accumulate(const std::vector<TieGroup>& by_distance, std::vector<TieGroup>& within) {
  TieGroup sum;
  for (std::size_t radius = 0; radius < within.size(); ++radius) {
    if (radius < by_distance.size()) {
      sum.items += by_distance[radius].items;
      sum.relevant += by_distance[radius].relevant;
    }
    within[radius] = sum;
  }
}

class HammingRanker final : public Ranker {
 public:
  HammingRanker(const CodeMatrix& database, const CodeMatrix& queries, Ties ties)
      : database_(database),
        queries_(queries),
        grouper_(ties),
        distances_(static_cast<std::size_t>(database.rows())) {}

  void measure(Index query) override { hamming_row(database_, queries_.row(query), distances_); }

  void group(std::span<const std::uint8_t> relevant, std::vector<TieGroup>& groups,
             std::vector<TieGroup>& within) override {
    const auto by_distance = count_by_distance(distances_, relevant, database_.bits());
    grouper_.group(distances_, relevant, by_distance, groups);
    accumulate(by_distance, within);
  }

 private:
  const CodeMatrix& database_;
  const CodeMatrix& queries_;
  CountingGrouper grouper_;
  std::vector<std::uint16_t> distances_;
};

class WeightedRanker final : public Ranker {
 public:
  WeightedRanker(const CodeMatrix& database, const CodeMatrix& queries, BitWeights weights,
                 Ties ties)
      : database_(database),
        queries_(queries),
        weights_(std::move(weights)),
        grouper_(ties),
        distances_(static_cast<std::size_t>(database.rows())),
        bit_counts_(distances_.size()) {}

  void measure(Index query) override {
    query_ = query;
    weighted_row(database_, queries_.row(query), *weights_.table(query), distances_);
  }

  void group(std::span<const std::uint8_t> relevant, std::vector<TieGroup>& groups,
             std::vector<TieGroup>& within) override {
    grouper_.group(distances_, relevant, groups);
    if (!within.empty()) {
      hamming_row(database_, queries_.row(query_), bit_counts_);
      accumulate(count_by_distance(bit_counts_, relevant, database_.bits()), within);
    }
  }

 private:
  const CodeMatrix& database_;
  const CodeMatrix& queries_;
  BitWeights weights_;
  SortingGrouper grouper_;
  std::vector<float> distances_;
  std::vector<std::uint16_t> bit_counts_;
  Index query_ = 0;
};

class DistanceRanker final : public Ranker {
 public:
  DistanceRanker(const DistanceSource& source, Index items, Ties ties)
      : source_(source), grouper_(ties), distances_(static_cast<std::size_t>(items)) {}

  void measure(Index query) override {
    source_(query, distances_);
    const auto bad = std::ranges::find_if(distances_, [](double d) { return std::isnan(d); });
    if (bad != distances_.end()) {
      fail(Errc::bad_data, fmt::format("distances, row {}, column {}: not a number", query + 1,
                                       bad - distances_.begin() + 1));
    }
  }

  void group(std::span<const std::uint8_t> relevant, std::vector<TieGroup>& groups,
             std::vector<TieGroup>& within) override {
    grouper_.group(distances_, relevant, groups);
    std::vector<TieGroup> by_distance(within.size());
    const double largest = static_cast<double>(within.size()) - 1.0;
    for (std::size_t i = 0; i < distances_.size(); ++i) {
      const double at = std::max(0.0, std::ceil(distances_[i]));  // d <= radius iff ceil(d) is
      if (at <= largest) {
        by_distance[static_cast<std::size_t>(at)].items += 1;
        by_distance[static_cast<std::size_t>(at)].relevant += relevant[i];
      }
    }
    accumulate(by_distance, within);
  }

 private:
  const DistanceSource& source_;
  SortingGrouper grouper_;
  std::vector<double> distances_;
};

}  // namespace

MakeRanker code_ranker(const CodeMatrix& database, const CodeMatrix& queries,
                       const BitWeights& bit_weights, Ties ties) {
  require(database.rows() > 0 && queries.rows() > 0,
          "ranking needs at least one query and one database code");
  require(database.bits() == queries.bits(),
          fmt::format("the database codes have {} bits, the query codes {}; encode both with the "
                      "same model",
                      database.bits(), queries.bits()));
  require(database.bits() <= kMaxCodeBits,
          fmt::format("codes of {} bits are too long; at most {} can be evaluated", database.bits(),
                      kMaxCodeBits));
  bit_weights.check(queries.rows(), database.bits());
  if (bit_weights.plain()) {
    return [&database, &queries, ties] {
      return std::make_unique<HammingRanker>(database, queries, ties);
    };
  }
  return [&database, &queries, ties, bit_weights] {
    return std::make_unique<WeightedRanker>(database, queries, bit_weights, ties);
  };
}

MakeRanker distance_ranker(DistanceSource distances, Index items, Ties ties) {
  return [source = std::move(distances), items, ties] {
    return std::make_unique<DistanceRanker>(source, items, ties);
  };
}

}  // namespace structhash
