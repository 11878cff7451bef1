#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/communicator.hpp"
#include "core/fingerprint.hpp"
#include "core/shards.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/relevance/builders.hpp"

/// Training rows in shards: which process reads which rows, and lists within a shard
/// (docs/adr/0017).
namespace structhash::cli {

/// Number of shards for this many training rows: 1, or at least 8 of 16,384 rows or more.
Index shards_for(Index rows);

/// The shards of this process; the numbers of any two processes differ by at most one.
RowRange own_shards(Index shards, const Communicator& processes);

/// The shards of the next process; after the last one comes the first.
RowRange next_shards(Index shards, const Communicator& processes);

/// Rows of every shard of this process.
std::vector<Index> shard_sizes(Index rows, RowRange own, Index shards);

/// The order in which rows are assigned to shards: shuffled, so that every shard gets rows of all
/// classes even if the file is sorted by class.  A single shard keeps the rows in their order.
std::vector<Index> assignment_order(std::vector<Index> chosen, Index shards, Seed seed);

/// The rows of some shards, shard by shard: shard k of S takes every S-th row from the k-th on.
std::vector<Index> rows_of_shards(std::span<const Index> order, RowRange wanted, Index shards);

/// Lists whose items are drawn from the shard of their query.
BuiltLists lists_of_shards(const Labels& labels, std::span<const Index> sizes, Index first_shard,
                           const ListOptions& options, Seed seed, int threads);

/// The rows of a process, with fingerprints of them and of the rows of the next process.  If every
/// two neighbours agree, all processes read the same file, and each has read only two parts of it.
struct FingerprintedRows {
  Matrix<float> own;
  std::string own_fingerprint;
  std::string next_fingerprint;
};

FingerprintedRows read_with_fingerprints(FeatureReader& reader, std::span<const Index> own,
                                         std::span<const Index> next);

/// Fingerprint of what every process reads completely: labels, number of rows and columns.
std::string common_fingerprint(const FeatureReader& reader, const Labels& labels);

}  // namespace structhash::cli
