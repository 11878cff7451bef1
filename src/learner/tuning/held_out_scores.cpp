#include "learner/tuning/held_out_scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ranking/ranked_query.hpp"
#include "structhash/codes/distance.hpp"

namespace structhash {
namespace {

RankedQuery ranked(const RelevanceList& list, const CodeMatrix& codes, const WeightTable& table) {
  const CodeView query = codes.row(list.query);
  std::vector<std::pair<float, Index>> items;  // distance, and 1 if relevant
  for (const Index item : list.relevant) {
    items.emplace_back(table.distance(query, codes.row(item)), 1);
  }
  for (const Index item : list.irrelevant) {
    items.emplace_back(table.distance(query, codes.row(item)), 0);
  }
  std::ranges::sort(items);
  std::vector<TieGroup> groups;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == 0 || items[i].first != items[i - 1].first) {
      groups.emplace_back();
    }
    ++groups.back().items;
    groups.back().relevant += items[i].second;
  }
  return {.by_threshold = {std::move(groups)},
          .relevant = {std::ssize(list.relevant)},
          .items = std::ssize(items),
          .within = {}};
}

}  // namespace

MeasureFunction held_out_measure(std::string_view name, double listed,
                                 std::span<const RelevanceList> lists) {
  const NamedMeasure measure = parse_measure(name);
  const double cutoff = std::round(listed * to_double(measure.cutoff));
  Index items = 0;
  for (const RelevanceList& list : lists) {
    items = std::max(items, std::ssize(list.relevant) + std::ssize(list.irrelevant));
  }
  return measure.entry->expected(
      measure.cutoff > 0 ? std::max<Index>(1, static_cast<Index>(cutoff)) : 0, items);
}

std::vector<double> scores(const MeasureFunction& measure, std::span<const RelevanceList> lists,
                           const CodeMatrix& codes, std::span<const float> bit_weights,
                           Threads threads) {
  const WeightTable table(bit_weights);
  std::vector<double> values(lists.size());
  parallel_for(std::ssize(lists), threads, 8, [&](Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      values[i] = measure(ranked(lists[i], codes, table));
    }
  });
  std::vector<double> result;
  double weight = 0.0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (i == 0 || lists[i].query != lists[i - 1].query) {
      result.push_back(0.0);
    }
    result.back() += lists[i].weight * values[i];
    weight += lists[i].weight;
  }
  const double scale = static_cast<double>(result.size()) / weight;
  std::ranges::for_each(result, [&](double& score) { score *= scale; });
  return result;
}

}  // namespace structhash
