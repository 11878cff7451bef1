#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/communicator.hpp"
#include "core/fingerprint.hpp"
#include "core/shards.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/relevance/builders.hpp"

/// Training rows cut into shards: which process reads which rows, and lists within a shard
/// (docs/adr/0017).
namespace structhash::cli {

/// Shards for so many training rows: one, or 8 and more of at least 16,384 rows.
Index shards_for(Index rows);

/// The shards a process keeps: as many as any other, or one less.
RowRange own_shards(Index shards, const Communicator& processes);

/// The shards of the process after this one; after the last one comes the first.
RowRange next_shards(Index shards, const Communicator& processes);

/// Rows of every shard of this process, if so many are cut.
std::vector<Index> shard_sizes(Index rows, RowRange own, Index shards);

/// The order in which rows are dealt out to shards, drawn at random: whatever order the classes of
/// a file have, every shard holds its share of each.  One shard keeps the rows in their order.
std::vector<Index> dealing_order(std::vector<Index> chosen, Index shards, Seed seed);

/// The rows of some shards, shard by shard: shard k of S takes every S-th row from the k-th on.
std::vector<Index> rows_of_shards(std::span<const Index> dealt, RowRange wanted, Index shards);

/// Lists whose items are drawn from the shard of their query.
BuiltLists lists_of_shards(const Labels& labels, std::span<const Index> sizes, Index first_shard,
                           const ListOptions& options, Seed seed, int threads);

/// What a process saw of the features: fingerprints of its own rows, and of those that the next
/// process keeps.  If every two neighbours agree, all processes learn from the same file, and each
/// has read its own part and that of another instead of the whole.
struct SeenRows {
  Matrix<float> own;
  std::string own_print;
  std::string next_print;
};

SeenRows see_rows(FeatureReader& reader, std::span<const Index> own, std::span<const Index> next);

/// Of what every process reads whole: labels, and how many rows and columns there are.
std::string common_print(const FeatureReader& reader, const Labels& labels);

}  // namespace structhash::cli
