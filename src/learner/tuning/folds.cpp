#include "learner/tuning/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "relevance/metric_neighbours.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Ascending, every row once.
std::vector<Index> distinct(std::vector<Index> rows) {
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  return rows;
}

RelevanceList list_of_others(const Labels& labels, Index query) {
  RelevanceList list{.query = query, .relevant = {}, .irrelevant = {}};
  for (Index row = 0; row < labels.size(); ++row) {
    if (row != query) {
      (labels.related(query, row) ? list.relevant : list.irrelevant).push_back(row);
    }
  }
  return list;
}

bool informative(const RelevanceList& list) {
  return !list.relevant.empty() && !list.irrelevant.empty();
}

/// The lists over `kept` rows of `all`, which get new numbers; without those that lose their query
/// or all items of one kind.
std::vector<RelevanceList> renumbered(std::span<const RelevanceList> lists,
                                      std::span<const Index> kept, Index all) {
  std::vector<Index> number(static_cast<std::size_t>(all), -1);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    number[static_cast<std::size_t>(kept[i])] = static_cast<Index>(i);
  }
  const auto of = [&](std::vector<Index> rows) {
    std::ranges::for_each(rows, [&](Index& row) { row = number[static_cast<std::size_t>(row)]; });
    std::erase(rows, -1);
    return rows;
  };
  std::vector<RelevanceList> result;
  for (const RelevanceList& list : lists) {
    RelevanceList remaining{number[static_cast<std::size_t>(list.query)], of(list.relevant),
                            of(list.irrelevant), list.weight};
    if (remaining.query >= 0 && informative(remaining)) {
      result.push_back(std::move(remaining));
    }
  }
  return result;
}

constexpr Index kMaxQueries = 1'000;       // held out
constexpr Index kMaxRankedItems = 10'000;  // enough to see what comes before the relevant ones

/// Rows of some list that are not held out: a sample of the database.
std::vector<Index> items_to_rank(const TrainingSet& data, std::span<const Index> validation) {
  std::vector<char> listed(static_cast<std::size_t>(data.x.rows()), 0);
  for (const RelevanceList& list : data.lists) {
    for (const Index row : list.relevant) {
      listed[static_cast<std::size_t>(row)] = 1;
    }
    for (const Index row : list.irrelevant) {
      listed[static_cast<std::size_t>(row)] = 1;
    }
  }
  for (const Index row : validation) {
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

/// The list of a query among all items: the few irrelevant items of a training list do not tell
/// good parameters from bad ones.  Unlisted items are irrelevant unless they are known to be
/// relevant as well or lie within reach.
RelevanceList list_among(const TrainingSet& data, const RelevanceList& list,
                         std::span<const Index> validation, std::span<const Index> items) {
  RelevanceList whole{list.query, list.relevant, {}, list.weight};
  std::ranges::copy(list.further, std::back_inserter(whole.relevant));
  whole.relevant = distinct(std::move(whole.relevant));
  const std::vector<Index> known = whole.relevant;
  std::erase_if(whole.relevant, [&](Index row) {
    return row == list.query || std::ranges::binary_search(validation, row);
  });
  const auto near = [&](Index row) {
    return !data.reach.empty() && squared_distance(data.x, row, data.x, list.query) <=
                                      data.reach[static_cast<std::size_t>(list.query)];
  };
  for (const Index row : items) {
    if (row != list.query && !std::ranges::binary_search(known, row)) {
      (near(row) ? whole.relevant : whole.irrelevant).push_back(row);
    }
  }
  return whole;
}

/// The training set without some rows, which are sorted: no list has one as query or item.
TrainingSet without(const TrainingSet& data, const Shards& shards, std::span<const Index> removed) {
  std::vector<Index> rows;
  for (Index row = 0; row < data.x.rows(); ++row) {
    if (!std::ranges::binary_search(removed, row)) {
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
  part.lists = renumbered(data.lists, rows, data.x.rows());
  return part;
}

std::vector<Index> distinct_queries(std::span<const RelevanceList> lists) {
  std::vector<Index> queries;
  for (const RelevanceList& list : lists) {
    queries.push_back(list.query);
  }
  return distinct(std::move(queries));
}

/// Values of all processes, in the order of their ranks.
template <typename T>
std::vector<T> gathered(std::span<const T> own, const Shards& shards) {
  std::vector<T> all;
  const auto bytes = std::string_view(reinterpret_cast<const char*>(own.data()), own.size_bytes());
  for (const std::string& part : shards.gather(bytes)) {
    const std::size_t before = all.size();
    all.resize(before + part.size() / sizeof(T));
    if (!part.empty()) {
      std::memcpy(all.data() + before, part.data(), part.size());
    }
  }
  return all;
}

constexpr double kMinInformativeShare = 0.9;  // of a random draw; else classes are drawn

/// Share of the other rows of their classes that the drawn queries have beside them, and whether
/// most have any.  Sizes of classes are those among the queries.
struct ClassCoverage {
  double share = 1.0;
  bool sufficient = true;
};

ClassCoverage coverage(std::span<const int> classes, std::span<const Index> drawn) {
  std::unordered_map<int, Index> all;
  std::unordered_map<int, Index> among;
  for (const int label : classes) {
    ++all[label];
  }
  for (const Index query : drawn) {
    ++among[classes[static_cast<std::size_t>(query)]];
  }
  Index others = 0;
  Index others_drawn = 0;
  Index informative = 0;
  for (const Index query : drawn) {
    const int label = classes[static_cast<std::size_t>(query)];
    others += all[label] - 1;
    others_drawn += among[label] - 1;
    informative += among[label] > 1 ? 1 : 0;
  }
  return {
      .share = to_double(others_drawn) / to_double(std::max<Index>(1, others)),
      .sufficient = to_double(informative) >= kMinInformativeShare * to_double(std::ssize(drawn))};
}

/// Half of the queries of random classes, two at least: with classes of ten rows, few of a random
/// draw from all classes would meet another of their own.
std::vector<Index> draw_by_class(std::span<const int> classes, Index count, Rng& rng) {
  std::vector<Index> order(classes.size());
  std::iota(order.begin(), order.end(), Index{0});
  rng.shuffle(order);
  std::unordered_map<int, std::size_t> places;
  std::vector<std::vector<Index>> by_class;  // in the order of their first queries
  for (const Index query : order) {
    const auto [place, is_new] =
        places.try_emplace(classes[static_cast<std::size_t>(query)], by_class.size());
    if (is_new) {
      by_class.emplace_back();
    }
    by_class[place->second].push_back(query);
  }
  std::vector<Index> drawn;
  for (const std::vector<Index>& queries : by_class) {
    const Index taken = std::max<Index>(2, std::ssize(queries) / 2);
    if (std::ssize(queries) >= taken && std::ssize(drawn) + taken <= count) {
      drawn.insert(drawn.end(), queries.begin(), queries.begin() + taken);
    }
  }
  return drawn;
}

struct ValidationRows {
  std::vector<Index> rows;       // of this process, sorted
  std::optional<double> listed;  // share of the relevant rows, if it is not that of all rows
};

/// Drawn from the queries of all processes.
ValidationRows draw_validation_rows(const TrainingSet& data, const Shards& shards, double share,
                                    Seed seed) {
  const std::vector<Index> queries = distinct_queries(data.lists);
  Index before = 0;  // queries of the processes before this one
  Index all = 0;
  Index rank = 0;
  for (const std::string& part : shards.gather(std::to_string(queries.size()))) {
    const Index count = std::stoll(part);
    before += shards.processes() != nullptr && rank++ < shards.processes()->rank() ? count : 0;
    all += count;
  }
  const auto count = std::min(kMaxQueries, static_cast<Index>(std::floor(share * to_double(all))));
  if (count < 1 || all - count < 2) {
    fail(Errc::bad_data,
         fmt::format("cannot hold out {} of {} queries for tuning: too few; set the options that "
                     "are auto",
                     count, all));
  }
  Rng rng(seed.fork("hold out"));
  std::vector<Index> drawn = sample_without_replacement(all, count, rng);
  ValidationRows validation;
  if (!data.labels.classes.empty()) {
    const std::vector<int> own = data.labels.select(queries).classes;
    const std::vector<int> classes = gathered(std::span(own), shards);
    if (!coverage(classes, drawn).sufficient) {
      drawn = draw_by_class(classes, count, rng);
      validation.listed = coverage(classes, drawn).share;
    }
  }
  for (const Index pick : drawn) {
    if (pick >= before && pick < before + std::ssize(queries)) {
      validation.rows.push_back(queries[static_cast<std::size_t>(pick - before)]);
    }
  }
  std::ranges::sort(validation.rows);
  return validation;
}

/// Rows of all processes by their numbers among all rows; ascending.
std::vector<Index> gathered_numbers(std::vector<Index> rows, const Shards& shards) {
  std::ranges::for_each(rows, [&](Index& row) { row += shards.first_row(); });
  return gathered(std::span<const Index>(rows), shards);
}

/// The labels of such rows.
Labels gathered_labels(const Labels& own, const Shards& shards) {
  Labels all{.classes = gathered(std::span(own.classes), shards), .multi = {}};
  const std::span flat(own.multi.data(), static_cast<std::size_t>(own.multi.size()));
  const std::vector<std::uint8_t> multi = gathered(std::span<const std::uint8_t>(flat), shards);
  if (!multi.empty()) {
    const Index columns = own.multi.cols();
    all.multi =
        Eigen::Map<const Matrix<std::uint8_t>>(multi.data(), std::ssize(multi) / columns, columns);
  }
  return all;
}

}  // namespace

Fold make_fold(const TrainingSet& data, const Shards& shards, double share, Seed seed) {
  const auto [held_out, listed] = draw_validation_rows(data, shards, share, seed);
  Fold fold{.training = without(data, shards, held_out), .rows = {}, .validation = {}};
  const auto add = [&](RelevanceList list) {
    if (informative(list)) {
      fold.validation.push_back(std::move(list));
    }
  };
  if (!data.labels.empty()) {
    fold.rows = shards.gather_rows(data.x, gathered_numbers(held_out, shards));
    fold.listed = listed.value_or(to_double(fold.rows.rows()) / to_double(shards.all_rows()));
    const Labels labels = gathered_labels(data.labels.select(held_out), shards);
    for (Index query = 0; query < labels.size(); ++query) {
      add(list_of_others(labels, query));
    }
  } else {
    const std::vector<Index> items = items_to_rank(data, held_out);
    std::vector<Index> rows = held_out;
    for (const RelevanceList& list : data.lists) {
      if (std::ranges::binary_search(held_out, list.query)) {
        add(list_among(data, list, held_out, items));
      }
    }
    std::ranges::stable_sort(fold.validation, {}, &RelevanceList::query);
    std::ranges::copy(items, std::back_inserter(rows));
    for (const RelevanceList& list : fold.validation) {
      std::ranges::copy(list.relevant, std::back_inserter(rows));
    }
    rows = distinct(std::move(rows));
    fold.rows = data.x(rows, Eigen::all);
    fold.validation = renumbered(fold.validation, rows, data.x.rows());
  }
  if (fold.training.lists.empty() || fold.validation.empty()) {
    fail(Errc::bad_data,
         "no list remains after holding out queries for tuning; set the options that are auto");
  }
  return fold;
}

}  // namespace structhash
