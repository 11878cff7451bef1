#include "shard_data.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace structhash::cli {

Index shards_for(Index rows) {
  constexpr Index kFewestToCut = 131'072;
  constexpr Index kRowsPerShard = 16'384;
  constexpr Index kMost = 64;
  if (rows < kFewestToCut) {
    return 1;
  }
  const auto whole = static_cast<std::uint64_t>(rows / kRowsPerShard);
  return std::min(kMost, static_cast<Index>(std::bit_floor(whole)));
}

RowRange own_shards(Index shards, const Communicator& processes) {
  const Index working = std::min<Index>(shards, processes.size());
  const Index rank = std::min<Index>(processes.rank(), working - 1);
  return {shards * rank / working, shards * (rank + 1) / working};
}

std::vector<Index> shard_sizes(Index rows, RowRange own, Index shards) {
  std::vector<Index> sizes;
  for (Index shard = own.begin; shard < own.end; ++shard) {
    sizes.push_back((rows - shard + shards - 1) / shards);
  }
  return sizes;
}

std::vector<Index> rows_of_shards(std::vector<Index> chosen, RowRange own, Index shards,
                                  Seed seed) {
  if (shards == 1) {
    return chosen;
  }
  Rng(seed.fork("shards")).shuffle(chosen);
  std::vector<Index> rows;
  for (Index shard = own.begin; shard < own.end; ++shard) {
    for (Index at = shard; at < std::ssize(chosen); at += shards) {
      rows.push_back(chosen[static_cast<std::size_t>(at)]);
    }
  }
  return rows;
}

BuiltLists lists_of_shards(const Labels& labels, std::span<const Index> sizes, Index first_shard,
                           const ListOptions& options, Seed seed, int threads) {
  BuiltLists all;
  Index begin = 0;
  for (std::size_t shard = 0; shard < sizes.size(); ++shard) {
    std::vector<Index> rows(static_cast<std::size_t>(sizes[shard]));
    std::iota(rows.begin(), rows.end(), begin);
    const Seed stream = seed.fork(static_cast<std::uint64_t>(first_shard) + shard);
    BuiltLists built = lists_from_labels(labels.select(rows), options, stream, threads);
    for (RelevanceList& list : built.lists) {
      list.query += begin;
      std::ranges::for_each(list.relevant, [&](Index& row) { row += begin; });
      std::ranges::for_each(list.irrelevant, [&](Index& row) { row += begin; });
      all.lists.push_back(std::move(list));
    }
    all.queries += built.queries;
    all.without_relevant += built.without_relevant;
    all.without_irrelevant += built.without_irrelevant;
    begin += sizes[shard];
  }
  return all;
}

Index WatchedReader::read(Index max_rows, Matrix<float>& block) {
  const Index count = inner_.read(std::min(kRowsAtOnce, max_rows), block);
  seen_.add(std::span<const float>(block.data(), static_cast<std::size_t>(count * block.cols())));
  return count;
}

std::string WatchedReader::fingerprint(const Labels& labels) {
  Matrix<float> rest;
  while (read(kRowsAtOnce, rest) > 0) {
  }
  seen_.add(std::span<const int>(labels.classes));
  seen_.add(std::span<const std::uint8_t>(labels.multi.data(),
                                          static_cast<std::size_t>(labels.multi.size())));
  return seen_.text();
}

}  // namespace structhash::cli
