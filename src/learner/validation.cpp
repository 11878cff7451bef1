#include "learner/validation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "learner/held_rows.hpp"
#include "relevance/metric_neighbours.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

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

constexpr Index kMaxRankedItems =
    10'000;  // rows: enough to see what comes before the relevant ones

/// Rows that some list holds, and that were not held out: what unlisted items look like.
std::vector<Index> items_to_rank(const TrainingSet& data, std::span<const Index> held) {
  std::vector<char> listed(static_cast<std::size_t>(data.x.rows()), 0);
  for (const RelevanceList& list : data.lists) {
    for (const Index row : list.relevant) {
      listed[static_cast<std::size_t>(row)] = 1;
    }
    for (const Index row : list.irrelevant) {
      listed[static_cast<std::size_t>(row)] = 1;
    }
  }
  for (const Index row : held) {
    listed[static_cast<std::size_t>(row)] = 0;
  }
  const Index step = 1 + std::ranges::count(listed, 1) / kMaxRankedItems;
  std::vector<Index> items;
  Index met = 0;
  for (Index row = 0; row < data.x.rows(); ++row) {
    if (listed[static_cast<std::size_t>(row)] != 0 && met++ % step == 0) {
      items.push_back(row);
    }
  }
  return items;
}

/// The list of a query among all items.  Fifty irrelevant items are easily kept apart, by good and
/// by bad parameters; in use all of them compete.  Without a rule an unlisted item is irrelevant,
/// as unjudged ones are by custom.
RelevanceList list_among(const TrainingSet& data, const RelevanceList& list,
                         std::span<const Index> held, std::span<const Index> items) {
  RelevanceList whole{list.query, list.relevant, {}, list.weight};
  std::erase_if(whole.relevant, [&](Index row) { return std::ranges::binary_search(held, row); });
  std::vector<Index> listed = list.relevant;
  std::ranges::sort(listed);
  const auto near = [&](Index row) {
    return !data.reach.empty() && squared_distance(data.x, row, data.x, list.query) <=
                                      data.reach[static_cast<std::size_t>(list.query)];
  };
  for (const Index row : items) {
    if (row != list.query && !std::ranges::binary_search(listed, row)) {
      (near(row) ? whole.relevant : whole.irrelevant).push_back(row);
    }
  }
  return whole;
}

/// The training set without some rows, sorted: no list asks them or holds them.
TrainingSet without(const TrainingSet& data, const Shards& shards, std::span<const Index> gone) {
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
  for (Index shard = 0; shard < shards.count() && shards.cut(); ++shard) {
    const RowRange range = shards.rows(shard);
    part.shards.push_back(std::ranges::lower_bound(rows, range.end) -
                          std::ranges::lower_bound(rows, range.begin));
  }
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

/// Relevant rows that some lists hold, and those there are.
struct Listed {
  double listed = 0.0;
  double all = 0.0;
  double share() const { return listed < all ? listed / all : 1.0; }
};

constexpr std::size_t kCounted = 1'000;  // lists: enough for a mean

Listed count_listed(std::span<const RelevanceList> lists, const Labels& labels, RowRange rows,
                    std::size_t most) {
  const std::size_t step = std::max<std::size_t>(1, lists.size() / most);
  Listed sums;
  for (std::size_t i = 0; i < lists.size(); i += step) {
    sums.listed += to_double(std::ssize(lists[i].relevant));
    for (Index row = rows.begin; row < rows.end; ++row) {
      sums.all += row != lists[i].query && labels.related(lists[i].query, row) ? 1.0 : 0.0;
    }
  }
  return sums;
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
  return hold_out(data, Shards(data.x.rows()), fraction, most, seed);
}

HoldOut hold_out(const TrainingSet& data, const Shards& shards, double fraction, Index most,
                 Seed seed) {
  const std::vector<Index> held = held_rows(data, shards, fraction, most, seed);
  HoldOut result{.part = without(data, shards, held), .validation = {}};
  const auto ask = [&](RelevanceList list) {
    if (informative(list)) {
      result.validation.push_back(std::move(list));
    }
  };
  if (shards.cut()) {
    result.asked = shards.gather_rows(data.x, gathered_numbers(held, shards));
    const Labels labels = gathered_labels(data.labels.select(held), shards);
    std::vector<Index> all(static_cast<std::size_t>(labels.size()));
    std::iota(all.begin(), all.end(), Index{0});
    std::ranges::for_each(all, [&](Index q) { ask(list_of_others(labels, q, all)); });
  } else if (!data.labels.empty()) {
    std::ranges::for_each(held, [&](Index q) { ask(list_of_others(data.labels, q, held)); });
  } else {
    const std::vector<Index> items = items_to_rank(data, held);
    for (const RelevanceList& list : data.lists) {
      if (std::ranges::binary_search(held, list.query)) {
        ask(list_among(data, list, held, items));
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
  return count_listed(lists, labels, {0, labels.size()}, kCounted).share();
}

double listed_share(const TrainingSet& data, const Shards& shards) {
  if (!shards.cut()) {
    return listed_share(data.lists, data.labels);
  }
  require(!data.labels.empty(), "rows cut into shards need labels");
  const std::vector<double> sums = shards.sum(2, [&](Index shard, std::span<double> part) {
    const RowRange rows = shards.rows(shard);
    std::vector<RelevanceList> lists;
    std::ranges::copy_if(data.lists, std::back_inserter(lists), [&](const RelevanceList& list) {
      return list.query >= rows.begin && list.query < rows.end;
    });
    const std::size_t most = kCounted / static_cast<std::size_t>(shards.total()) + 1;
    const Listed of_shard = count_listed(lists, data.labels, rows, most);
    part[0] = of_shard.listed;
    part[1] = of_shard.all * to_double(shards.total());
  });
  return Listed{sums[0], sums[1]}.share();
}

double related_share(const Labels& labels, const Shards& shards) {
  const Index most = static_cast<Index>(kCounted) / shards.total() + 1;
  const std::vector<double> sums = shards.sum(2, [&](Index shard, std::span<double> part) {
    const RowRange rows = shards.rows(shard);
    const Index stride = std::max<Index>(1, rows.size() / most);
    for (Index row = rows.begin; row < rows.end; row += stride) {
      for (Index other = rows.begin; other < rows.end; ++other) {
        part[0] += row == other || labels.related(row, other) ? 1.0 : 0.0;
      }
      part[1] += to_double(rows.size());
    }
  });
  return sums[0] / sums[1];
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
