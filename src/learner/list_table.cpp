#include "structhash/learner/list_table.hpp"

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

using Shape = std::pair<Index, Index>;  // P, N

Shape shape_of(const RelevanceList& list) {
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

}  // namespace

ListTable::ListTable(std::span<const RelevanceList> lists, const RankingMeasure& measure,
                     Index rows)
    : rows_(rows) {
  require(!lists.empty(), "there is no relevance list to learn from");
  require(rows <= std::numeric_limits<std::int32_t>::max(), "too many training rows");
  double total_weight = 0.0;
  std::map<Shape, std::vector<std::size_t>> by_shape;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    check_list(lists[i], i, rows);
    total_weight += lists[i].weight;
    by_shape[shape_of(lists[i])].push_back(i);
  }
  gains_.reserve(by_shape.size());  // chunks point into it
  for (const auto& [shape, members] : by_shape) {
    const auto [P, N] = shape;
    largest_inversion_ = std::max({largest_inversion_, P, N});
    gains_.emplace_back(measure, P, N);
    const Index count = std::ssize(members);
    for (Index begin = 0; begin < count; begin += kListsPerChunk) {
      chunks_.push_back({&gains_.back(), this->lists() + begin,
                         std::min(kListsPerChunk, count - begin), pairs() + begin * (P + N), P, N});
    }
    for (const std::size_t member : members) {
      const RelevanceList& list = lists[member];
      queries_.push_back(static_cast<std::int32_t>(list.query));
      for (const auto* group : {&list.relevant, &list.irrelevant}) {
        for (const Index item : *group) {
          items_.push_back(static_cast<std::int32_t>(item));
        }
      }
      weights_.push_back(list.weight / total_weight);
      inversion_scales_.push_back(weights_.back() * 2.0 / (real(P) * real(N)));
    }
  }
}

}  // namespace structhash
