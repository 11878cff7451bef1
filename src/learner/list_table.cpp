#include "learner/list_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kListsPerChunk = 64;

std::pair<Index, Index> shape_of(const RelevanceList& list) {
  return {std::ssize(list.relevant), std::ssize(list.irrelevant)};
}

void check_list(const RelevanceList& list, std::size_t number, Index rows) {
  const std::string name = "relevance list " + std::to_string(number + 1);
  require(!list.relevant.empty() && !list.irrelevant.empty(),
          name + " needs at least one relevant and one irrelevant item");
  require(list.weight > 0.0 && std::isfinite(list.weight),
          name + " has a weight that is not a positive number");
  const auto valid = [rows](Index row) { return row >= 0 && row < rows; };
  require(valid(list.query) && std::ranges::all_of(list.relevant, valid) &&
              std::ranges::all_of(list.irrelevant, valid),
          name + " names a row outside the training set of " + std::to_string(rows) + " rows");
}

/// The shard that holds the query, and must hold the items too.
Index shard_of(const RelevanceList& list, std::size_t number, const Shards& shards) {
  Index shard = 0;
  while (shards.rows(shard).end <= list.query) {
    ++shard;
  }
  const RowRange range = shards.rows(shard);
  const auto inside = [&](Index row) { return row >= range.begin && row < range.end; };
  require(
      std::ranges::all_of(list.relevant, inside) && std::ranges::all_of(list.irrelevant, inside),
      "relevance list " + std::to_string(number + 1) + " has items outside the shard of its query");
  return shard;
}

}  // namespace

ListTable::ListTable(std::span<const RelevanceList> lists, const RankingMeasure& measure,
                     const Shards& shards)
    : shards_(shards) {
  require(!lists.empty(), "there is no relevance list to learn from");
  require(rows() <= std::numeric_limits<std::int32_t>::max(), "too many training rows");
  std::vector<std::vector<std::size_t>> members(static_cast<std::size_t>(shards.count()));
  for (std::size_t i = 0; i < lists.size(); ++i) {
    check_list(lists[i], i, rows());
    members[static_cast<std::size_t>(shard_of(lists[i], i, shards))].push_back(i);
  }
  const auto add_weights = [&](Index shard, std::span<double> part) {
    for (const std::size_t member : members[static_cast<std::size_t>(shard)]) {
      part[0] += lists[member].weight;
    }
  };
  const double total_weight = shards.sum(1, add_weights)[0];
  for (const std::vector<std::size_t>& of_shard : members) {
    const Index first = std::ssize(chunks_);
    add_shard(lists, of_shard, measure, total_weight);
    shard_chunks_.push_back({first, std::ssize(chunks_)});
  }
}

void ListTable::add_shard(std::span<const RelevanceList> lists,
                          std::span<const std::size_t> members, const RankingMeasure& measure,
                          double total_weight) {
  std::map<Shape, std::vector<std::size_t>> by_shape;
  for (const std::size_t member : members) {
    by_shape[shape_of(lists[member])].push_back(member);
  }
  for (const auto& [shape, alike] : by_shape) {
    const auto [P, N] = shape;
    largest_inversion_ = std::max({largest_inversion_, P, N});
    const GainTable& gains = gains_.try_emplace(shape, measure, P, N).first->second;
    const Index count = std::ssize(alike);
    for (Index begin = 0; begin < count; begin += kListsPerChunk) {
      chunks_.push_back({&gains, this->lists() + begin, std::min(kListsPerChunk, count - begin),
                         pairs() + begin * (P + N), P, N});
    }
    for (const std::size_t member : alike) {
      const RelevanceList& list = lists[member];
      queries_.push_back(static_cast<std::int32_t>(list.query));
      for (const auto* group : {&list.relevant, &list.irrelevant}) {
        for (const Index item : *group) {
          items_.push_back(static_cast<std::int32_t>(item));
        }
      }
      weights_.push_back(list.weight / total_weight);
      inversion_scales_.push_back(weights_.back() * 2.0 / (to_double(P) * to_double(N)));
    }
  }
}

}  // namespace structhash
