#include "shard_data.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

#include "inputs.hpp"

namespace structhash::cli {
namespace {

RowRange shards_of(Index rank, Index working, Index shards) {
  return {shards * rank / working, shards * (rank + 1) / working};
}

}  // namespace

Index shards_for(Index rows) {
  constexpr Index kMinToCut = 131'072;
  constexpr Index kRowsPerShard = 16'384;
  constexpr Index kMax = 64;
  if (rows < kMinToCut) {
    return 1;
  }
  const auto whole = static_cast<std::uint64_t>(rows / kRowsPerShard);
  return std::min(kMax, static_cast<Index>(std::bit_floor(whole)));
}

RowRange own_shards(Index shards, const Communicator& processes) {
  const Index working = std::min<Index>(shards, processes.size());
  return shards_of(std::min<Index>(processes.rank(), working - 1), working, shards);
}

RowRange next_shards(Index shards, const Communicator& processes) {
  const Index working = std::min<Index>(shards, processes.size());
  return shards_of(std::min<Index>(processes.rank() + 1, working) % working, working, shards);
}

std::vector<Index> shard_sizes(Index rows, RowRange own, Index shards) {
  std::vector<Index> sizes;
  for (Index shard = own.begin; shard < own.end; ++shard) {
    sizes.push_back((rows - shard + shards - 1) / shards);
  }
  return sizes;
}

std::vector<Index> assignment_order(std::vector<Index> chosen, Index shards, Seed seed) {
  if (shards > 1) {
    Rng(seed.fork("shards")).shuffle(chosen);
  }
  return chosen;
}

std::vector<Index> rows_of_shards(std::span<const Index> order, RowRange wanted, Index shards) {
  std::vector<Index> rows;
  rows.reserve(order.size() * static_cast<std::size_t>(wanted.size()) /
                   static_cast<std::size_t>(shards) +
               static_cast<std::size_t>(wanted.size()));
  for (Index shard = wanted.begin; shard < wanted.end; ++shard) {
    for (Index at = shard; at < std::ssize(order); at += shards) {
      rows.push_back(order[static_cast<std::size_t>(at)]);
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

/// Reads both in one pass, in file order.
FingerprintedRows read_with_fingerprints(FeatureReader& reader, std::span<const Index> own,
                                         std::span<const Index> next) {
  FingerprintedRows seen{Matrix<float>(std::ssize(own), reader.dimension()), "", ""};
  std::vector<Index> both(own.begin(), own.end());
  both.insert(both.end(), next.begin(), next.end());
  Fingerprint of_own;
  Fingerprint of_next;
  visit_rows(reader, both, [&](std::size_t place, std::span<const float> values) {
    if (place < own.size()) {
      std::ranges::copy(values, seen.own.row(static_cast<Index>(place)).data());
      of_own.add(values);
    } else {
      of_next.add(values);
    }
  });
  seen.own_fingerprint = of_own.text();
  seen.next_fingerprint = next.empty() ? seen.own_fingerprint : of_next.text();
  return seen;
}

std::string common_fingerprint(const FeatureReader& reader, const Labels& labels) {
  Fingerprint seen;
  seen.add(std::span<const Index>(std::array{reader.rows(), reader.dimension()}));
  seen.add(std::span<const int>(labels.classes));
  seen.add(std::span<const std::uint8_t>(labels.multi.data(),
                                         static_cast<std::size_t>(labels.multi.size())));
  return seen.text();
}

}  // namespace structhash::cli
