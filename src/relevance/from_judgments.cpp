#include <algorithm>
#include <cmath>
#include <utility>

#include "relevance/collect.hpp"
#include "relevance/sampling.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// A sample of the items of a query, each with its grade (0: irrelevant).
std::vector<Judgment> sample_judged(const std::vector<Judgment>& judged, Index items,
                                    const JudgedListOptions& options, Rng& rng) {
  std::vector<Index> relevant;
  std::vector<Index> irrelevant;
  std::vector<Index> all;
  for (const Judgment& judgment : judged) {
    (judgment.grade > 0 ? relevant : irrelevant).push_back(judgment.item);
    all.push_back(judgment.item);
  }
  const auto grade_of = [&](Index item) {
    return std::ranges::lower_bound(judged, item, {}, &Judgment::item)->grade;
  };
  std::vector<Judgment> sample;
  for (const Index item : sample_of(relevant, options.lists.relevant, rng)) {
    sample.push_back({item, grade_of(item)});
  }
  const Index wanted = options.lists.irrelevant;
  for (const Index item : sample_of(irrelevant, wanted, rng)) {
    sample.push_back({item, 0});
  }
  const Index unjudged = std::max<Index>(0, wanted - std::ssize(irrelevant));
  if (options.sample_unjudged && unjudged > 0) {
    for (const Index item : sample_outside(items, all, unjudged, rng)) {
      sample.push_back({item, 0});
    }
  }
  std::ranges::sort(sample, {}, &Judgment::item);
  return sample;
}

/// Weight of threshold t before scaling: 2^(t-1) IDCG_t, IDCG_t over its `relevant` items.
double threshold_weight(int threshold, Index relevant, const JudgedListOptions& options) {
  double ideal = 1.0;
  if (options.discount != nullptr) {
    ideal = 0.0;
    for (Index rank = 1; rank <= std::min(options.cutoff, relevant); ++rank) {
      ideal += options.discount(rank);
    }
  }
  return std::ldexp(ideal, threshold - 1);
}

QueryLists lists_by_threshold(Index query, const std::vector<Judgment>& judged,
                              const std::vector<Judgment>& sample,
                              const JudgedListOptions& options) {
  int highest = 0;
  Index zeros = 0;
  for (const Judgment& judgment : sample) {
    highest = std::max(highest, judgment.grade);
    zeros += judgment.grade <= 0 ? 1 : 0;
  }
  QueryLists result{.lists = {}, .has_relevant = highest > 0, .has_irrelevant = zeros > 0};
  double total = 0.0;
  for (int threshold = 1; threshold <= highest; ++threshold) {
    RelevanceList list{.query = query, .relevant = {}, .irrelevant = {}, .weight = 0.0};
    for (const Judgment& judgment : sample) {
      (judgment.grade >= threshold ? list.relevant : list.irrelevant).push_back(judgment.item);
    }
    for (const Judgment& judgment : judged) {
      if (judgment.grade >= threshold &&
          !std::ranges::binary_search(list.relevant, judgment.item)) {
        list.further.push_back(judgment.item);
      }
    }
    list.weight = threshold_weight(threshold, std::ssize(list.relevant), options);
    total += list.weight;
    if (!list.irrelevant.empty()) {
      result.has_irrelevant = true;  // items of a lower grade
      result.lists.push_back(std::move(list));
    }
  }
  for (RelevanceList& list : result.lists) {
    list.weight /= total;
  }
  return result;
}

}  // namespace

BuiltLists lists_from_judgments(const Judgments& judgments, const JudgedListOptions& options,
                                Seed seed, Threads threads) {
  check(judgments);
  require(options.cutoff >= 1, "the cut-off of the list weights must be at least 1");
  const std::vector<Index> queries = chosen_queries(options.lists, std::ssize(judgments.queries));
  const Seed stream = seed.fork("relevance from judgments");
  return collect(for_each_query(queries, stream, threads, [&](Index query, Rng& rng) {
    const auto& judged = judgments.queries[static_cast<std::size_t>(query)];
    return lists_by_threshold(judgments.items + query, judged,
                              sample_judged(judged, judgments.items, options, rng), options);
  }));
}

}  // namespace structhash
