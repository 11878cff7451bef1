#include "structhash/learner/validation.hpp"

#include <algorithm>
#include <cmath>

#include "structhash/codes/distance.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

std::vector<Index> distinct_queries(std::span<const RelevanceList> lists) {
  std::vector<Index> queries;
  for (const RelevanceList& list : lists) {
    queries.push_back(list.query);
  }
  std::ranges::sort(queries);
  const auto repeated = std::ranges::unique(queries);
  queries.erase(repeated.begin(), repeated.end());
  return queries;
}

/// The items of a group whose rows are still there, under their new numbers.
std::vector<Index> renumbered(std::span<const Index> items, std::span<const Index> new_row) {
  std::vector<Index> kept;
  for (const Index item : items) {
    if (new_row[static_cast<std::size_t>(item)] >= 0) {
      kept.push_back(new_row[static_cast<std::size_t>(item)]);
    }
  }
  return kept;
}

RelevanceList list_of_others(const Labels& labels, Index query, std::span<const Index> rows) {
  RelevanceList list{.query = query, .relevant = {}, .irrelevant = {}};
  for (const Index row : rows) {
    if (row != query) {
      (labels.related(query, row) ? list.relevant : list.irrelevant).push_back(row);
    }
  }
  return list;
}

bool informative(const RelevanceList& list) {
  return !list.relevant.empty() && !list.irrelevant.empty();
}

/// The training set without some rows, sorted: no list asks them or holds them.
TrainingSet without(const TrainingSet& data, std::span<const Index> gone) {
  std::vector<Index> rows;
  std::vector<Index> new_row(static_cast<std::size_t>(data.x.rows()), -1);
  for (Index row = 0; row < data.x.rows(); ++row) {
    if (!std::ranges::binary_search(gone, row)) {
      new_row[static_cast<std::size_t>(row)] = std::ssize(rows);
      rows.push_back(row);
    }
  }
  TrainingSet part{.x = data.x(rows, Eigen::all),
                   .labels = data.labels.empty() ? Labels{} : data.labels.select(rows),
                   .lists = {}};
  for (const RelevanceList& list : data.lists) {
    RelevanceList kept{new_row[static_cast<std::size_t>(list.query)],
                       renumbered(list.relevant, new_row), renumbered(list.irrelevant, new_row),
                       list.weight};
    if (kept.query >= 0 && informative(kept)) {
      part.lists.push_back(std::move(kept));
    }
  }
  return part;
}

struct Scored {
  float distance;
  bool relevant;
};

/// score = sum_j gain(j, i_j): i_j irrelevant items stand before relevant item j.
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

HoldOut hold_out(const TrainingSet& data, double fraction, Index most, Seed seed) {
  const std::vector<Index> queries = distinct_queries(data.lists);
  const auto count =
      std::min(most, static_cast<Index>(std::floor(fraction * real(std::ssize(queries)))));
  if (count < 1 || std::ssize(queries) - count < 2) {
    fail(Errc::bad_data,
         "there are too few queries to hold some out for choosing parameters; give "
         "the parameters by hand");
  }
  Rng rng(seed.fork("hold out"));
  std::vector<Index> held;
  for (const Index pick : sample_without_replacement(std::ssize(queries), count, rng)) {
    held.push_back(queries[static_cast<std::size_t>(pick)]);
  }
  std::ranges::sort(held);
  HoldOut result{.part = without(data, held), .validation = {}};
  const auto is_held = [&](Index row) { return std::ranges::binary_search(held, row); };
  const auto ask = [&](RelevanceList list) {
    if (informative(list)) {
      result.validation.push_back(std::move(list));
    }
  };
  if (!data.labels.empty()) {
    std::ranges::for_each(held, [&](Index q) { ask(list_of_others(data.labels, q, held)); });
  } else {
    for (RelevanceList list : data.lists) {
      if (is_held(list.query)) {
        std::erase_if(list.relevant, is_held);
        std::erase_if(list.irrelevant, is_held);
        ask(std::move(list));
      }
    }
  }
  if (result.part.lists.empty() || result.validation.empty()) {
    fail(Errc::bad_data,
         "no list remains after holding out queries for choosing parameters; give "
         "the parameters by hand");
  }
  return result;
}

double listed_share(std::span<const RelevanceList> lists, const Labels& labels) {
  if (labels.empty()) {
    return 1.0;
  }
  constexpr std::size_t kCounted = 1'000;  // lists: enough for a mean
  const std::size_t step = std::max<std::size_t>(1, lists.size() / kCounted);
  double listed = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < lists.size(); i += step) {
    listed += real(std::ssize(lists[i].relevant));
    for (Index row = 0; row < labels.size(); ++row) {
      all += row != lists[i].query && labels.related(lists[i].query, row) ? 1.0 : 0.0;
    }
  }
  return listed < all ? listed / all : 1.0;
}

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
