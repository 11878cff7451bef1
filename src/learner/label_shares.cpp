#include "learner/label_shares.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "data/related_rows.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Relevant rows in some lists, and in all of the data.
struct Listed {
  double listed = 0.0;
  double all = 0.0;
  double share() const { return listed < all ? listed / all : 1.0; }
};

constexpr std::size_t kMaxCountedLists = 1'000;  // enough for a mean

Listed count_listed(std::span<const RelevanceList> lists, const Labels& labels, RowRange rows,
                    std::size_t max_lists) {
  const std::size_t step = std::max<std::size_t>(1, lists.size() / max_lists);
  const RelatedRows related(labels, rows);
  Listed sums;
  for (std::size_t i = 0; i < lists.size(); i += step) {
    if (i > 0 && lists[i].query == lists[i - 1].query) {
      continue;  // a higher grade of the same query
    }
    sums.listed += to_double(std::ssize(lists[i].relevant));
    sums.all += to_double(related.of(lists[i].query));
  }
  return sums;
}

}  // namespace

double listed_share(std::span<const RelevanceList> lists, const Labels& labels) {
  if (labels.empty()) {
    return 1.0;
  }
  return count_listed(lists, labels, {0, labels.size()}, kMaxCountedLists).share();
}

double listed_share(const TrainingSet& data, const Shards& shards) {
  if (!shards.cut()) {
    return data.labels.empty()
               ? 1.0
               : count_listed(data.lists, data.labels, {0, data.x.rows()}, kMaxCountedLists)
                     .share();
  }
  require(!data.labels.empty(), "rows cut into shards need labels");
  const std::vector<double> sums = shards.sum(2, [&](Index shard, std::span<double> part) {
    const RowRange rows = shards.rows(shard);
    std::vector<RelevanceList> lists;
    std::ranges::copy_if(data.lists, std::back_inserter(lists), [&](const RelevanceList& list) {
      return list.query >= rows.begin && list.query < rows.end;
    });
    const std::size_t max_lists = kMaxCountedLists / static_cast<std::size_t>(shards.total()) + 1;
    const Listed in_shard = count_listed(lists, data.labels, rows, max_lists);
    part[0] = in_shard.listed;
    part[1] = in_shard.all * to_double(shards.total());
  });
  return Listed{sums[0], sums[1]}.share();
}

}  // namespace structhash
