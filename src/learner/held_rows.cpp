#include "learner/held_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>

#include "structhash/core/error.hpp"

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

/// What every process holds of something, one after another.
template <typename T>
std::vector<T> gathered(std::span<const T> own, const Shards& shards) {
  std::vector<T> all;
  const auto bytes = std::string_view(reinterpret_cast<const char*>(own.data()), own.size_bytes());
  for (const std::string& said : shards.gather(bytes)) {
    const std::size_t before = all.size();
    all.resize(before + said.size() / sizeof(T));
    if (!said.empty()) {
      std::memcpy(all.data() + before, said.data(), said.size());
    }
  }
  return all;
}

}  // namespace

std::vector<Index> held_rows(const TrainingSet& data, const Shards& shards, double fraction,
                             Index most, Seed seed) {
  const std::vector<Index> queries = distinct_queries(data.lists);
  Index before = 0;  // queries of the processes before this one
  Index all = 0;
  Index rank = 0;
  for (const std::string& said : shards.gather(std::to_string(queries.size()))) {
    const Index count = std::stoll(said);
    before += shards.processes() != nullptr && rank++ < shards.processes()->rank() ? count : 0;
    all += count;
  }
  const auto count = std::min(most, static_cast<Index>(std::floor(fraction * to_double(all))));
  if (count < 1 || all - count < 2) {
    fail(Errc::bad_data,
         "there are too few queries to hold some out for choosing parameters; give "
         "the parameters by hand");
  }
  Rng rng(seed.fork("hold out"));
  std::vector<Index> held;
  for (const Index pick : sample_without_replacement(all, count, rng)) {
    if (pick >= before && pick < before + std::ssize(queries)) {
      held.push_back(queries[static_cast<std::size_t>(pick - before)]);
    }
  }
  std::ranges::sort(held);
  return held;
}

std::vector<Index> gathered_numbers(std::vector<Index> rows, const Shards& shards) {
  std::ranges::for_each(rows, [&](Index& row) { row += shards.first_row(); });
  return gathered(std::span<const Index>(rows), shards);
}

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

}  // namespace structhash
