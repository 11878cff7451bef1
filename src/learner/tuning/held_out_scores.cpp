#include "learner/tuning/held_out_scores.hpp"

#include <algorithm>

#include "structhash/codes/distance.hpp"

namespace structhash {
namespace {

struct Scored {
  float distance;
  bool relevant;
};

/// score = sum_j gain(j, i_j),   i_j: irrelevant items before relevant item j.
double score_in_order(const RankingMeasure& measure, std::span<const Scored> order, Index P,
                      Index N) {
  double score = 0.0;
  Index irrelevant = 0;
  Index relevant = 0;
  for (const Scored& item : order) {
    if (item.relevant) {
      score += measure.gain(++relevant, irrelevant, P, N);
    } else {
      ++irrelevant;
    }
  }
  return score;
}

}  // namespace

std::vector<double> scores(const RankingMeasure& measure, std::span<const RelevanceList> lists,
                           const CodeMatrix& codes, std::span<const float> bit_weights,
                           Threads threads) {
  const WeightTable table(bit_weights);
  std::vector<double> result(lists.size());
  parallel_for(std::ssize(lists), threads, 8, [&](Index begin, Index end) {
    std::vector<Scored> order;
    for (Index i = begin; i < end; ++i) {
      const RelevanceList& list = lists[static_cast<std::size_t>(i)];
      const CodeView query = codes.row(list.query);
      order.clear();
      for (const Index item : list.relevant) {
        order.push_back({table.distance(query, codes.row(item)), true});
      }
      for (const Index item : list.irrelevant) {
        order.push_back({table.distance(query, codes.row(item)), false});
      }
      const Index P = std::ssize(list.relevant);
      const Index N = std::ssize(list.irrelevant);
      double both = 0.0;
      for (const bool relevant_first : {true, false}) {
        std::ranges::sort(order, [&](const Scored& a, const Scored& b) {
          return a.distance != b.distance
                     ? a.distance < b.distance
                     : a.relevant != b.relevant && a.relevant == relevant_first;
        });
        both += score_in_order(measure, order, P, N);
      }
      result[static_cast<std::size_t>(i)] = both / 2.0;
    }
  });
  return result;
}

}  // namespace structhash
