#include "learner/tuning/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <span>
#include <string>

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

/// Rows of this process, sorted, drawn from the queries of all processes.
std::vector<Index> draw_validation_rows(const TrainingSet& data, const Shards& shards, double share,
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
  std::vector<Index> rows;
  for (const Index pick : sample_without_replacement(all, count, rng)) {
    if (pick >= before && pick < before + std::ssize(queries)) {
      rows.push_back(queries[static_cast<std::size_t>(pick - before)]);
    }
  }
  std::ranges::sort(rows);
  return rows;
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
  const std::vector<Index> held_out = draw_validation_rows(data, shards, share, seed);
  Fold fold{.training = without(data, shards, held_out), .rows = {}, .validation = {}};
  const auto add = [&](RelevanceList list) {
    if (informative(list)) {
      fold.validation.push_back(std::move(list));
    }
  };
  if (!data.labels.empty()) {
    fold.rows = shards.gather_rows(data.x, gathered_numbers(held_out, shards));
    fold.listed = to_double(fold.rows.rows()) / to_double(shards.all_rows());
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
