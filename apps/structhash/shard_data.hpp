#pragma once

#include <span>
#include <string>
#include <vector>

#include "structhash/core/communicator.hpp"
#include "structhash/core/fingerprint.hpp"
#include "structhash/core/shards.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/relevance/builders.hpp"

/// Training rows cut into shards: which process reads which rows, and lists within a shard
/// (docs/adr/0017).
namespace structhash::cli {

/// Shards for so many training rows: one, or 8 and more of at least 16,384 rows.
Index shards_for(Index rows);

/// The shards a process keeps: as many as any other, or one less.
RowRange own_shards(Index shards, const Communicator& processes);

/// Rows of every shard of this process, if so many are cut.
std::vector<Index> shard_sizes(Index rows, RowRange own, Index shards);

/// The rows of the shards of this process, shard by shard.  Shard k of S takes every S-th row from
/// the k-th on, in an order drawn at random: whatever order the classes of a file have, every shard
/// holds its share of each.  One shard keeps the rows in their order.
std::vector<Index> rows_of_shards(std::vector<Index> chosen, RowRange own, Index shards, Seed seed);

/// Lists whose items are drawn from the shard of their query.
BuiltLists lists_of_shards(const Labels& labels, std::span<const Index> sizes, Index first_shard,
                           const ListOptions& options, Seed seed, int threads);

/// Reads for another and remembers what passed by.
class WatchedReader final : public FeatureReader {
 public:
  explicit WatchedReader(FeatureReader& inner) : inner_(inner) {}
  Index rows() const override { return inner_.rows(); }
  Index dimension() const override { return inner_.dimension(); }
  Index read(Index max_rows, Matrix<float>& block) override;
  /// Of everything there is to read, and of labels.
  std::string fingerprint(const Labels& labels);

 private:
  /// However many are asked for, so that the pieces seen are the same for all processes.
  static constexpr Index kRowsAtOnce = 256;

  FeatureReader& inner_;
  Fingerprint seen_;
};

}  // namespace structhash::cli
