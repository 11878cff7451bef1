#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "relevance/check_lists.hpp"
#include "relevance/collect.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

[[noreturn]] void refuse(std::size_t list, const std::string& what) {
  fail(Errc::bad_data, fmt::format("relevance list {}: {}", list + 1, what));
}

void check_one_list(std::size_t number, const RelevanceList& list, Index rows) {
  const auto check_row = [&](Index row) {
    if (row < 0 || row >= rows) {
      refuse(number, fmt::format("row {} does not exist; rows go from 1 to {}", row + 1, rows));
    }
  };
  check_row(list.query);
  if (!std::isfinite(list.weight) || list.weight <= 0.0) {
    refuse(number,
           fmt::format("its weight is {}; a weight must be finite and above 0", list.weight));
  }
  std::vector<Index> items = list.relevant;
  items.insert(items.end(), list.irrelevant.begin(), list.irrelevant.end());
  std::ranges::for_each(items, check_row);
  std::ranges::sort(items);
  const auto twice = std::ranges::adjacent_find(items);
  if (twice != items.end()) {
    refuse(number, fmt::format("item {} occurs twice; an item is relevant or irrelevant, once",
                               *twice + 1));
  }
  if (std::ranges::binary_search(items, list.query)) {
    refuse(number, fmt::format("the query itself (row {}) is among its items; leave it out",
                               list.query + 1));
  }
}

}  // namespace

void check_lists(std::span<const RelevanceList> lists, Index rows) {
  for (std::size_t number = 0; number < lists.size(); ++number) {
    check_one_list(number, lists[number], rows);
  }
}

BuiltLists lists_from_explicit(std::vector<RelevanceList> lists, Index rows) {
  check_lists(lists, rows);
  std::vector<QueryLists> per_query;
  per_query.reserve(lists.size());
  for (RelevanceList& list : lists) {
    std::ranges::sort(list.relevant);
    std::ranges::sort(list.irrelevant);
    per_query.push_back(
        single_list(list.query, std::move(list.relevant), std::move(list.irrelevant)));
    for (RelevanceList& kept : per_query.back().lists) {
      kept.weight = list.weight;
    }
  }
  return collect(std::move(per_query));
}

}  // namespace structhash
