#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/communicator.hpp"
#include "inputs.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/relevance/builders.hpp"

/// The training data of `train`.
namespace structhash::cli {

struct TrainingFiles {
  DataFiles items;
  DataFiles query_files;      // of queries that are not rows of the items; empty: they are
  std::string relevance;      // TREC judgments in place of labels
  Index queries = 0;          // random rows left out, as `evaluate --queries` does
  Index train_size = 0;       // random rows of the rest; 0: all of them
  ListOptions lists;          // relevant and irrelevant items per query
  std::string measure;        // that is trained for; graded lists follow it
  Index shards = 0;           // 0: by the number of rows
  Index components = 0;       // of sparse features; 0: features are dense
  bool two_encoders = false;  // also if queries have as many columns as items

  bool separate_queries() const { return !query_files.features.empty(); }
  /// Tables are read alike on both sides.
  DataFiles completed_query_files() const {
    DataFiles completed = query_files;
    completed.table = items.table;
    completed.label_format = items.label_format;
    return completed;
  }
};

void add_training_options(Command& command, TrainingFiles& files);

/// Fingerprints of the data, made if there are several processes.
struct Fingerprints {
  std::string common;  // of what every process reads completely
  std::string own;     // of the rows of this process
  std::string next;    // of the rows of the next process
};

struct TrainingData {
  TrainingSet set;
  std::shared_ptr<const SparseProjection> projection;  // of sparse features
  BuiltLists lists;  // only the counts; the lists themselves are in `set`
  Index rows = 0;    // of all processes
  Index shards = 1;  // likewise
  Fingerprints fingerprints;
};

/// The processes of a training, and whether its rows may be cut into shards.
struct Readers {
  Communicator& processes;
  bool may_shard = false;
};

/// Throws Errc::usage if options are missing or exclude each other.
void check_training_options(const TrainingFiles& files, Supervision needed, bool may_shard);

/// Reads the data that a method with this kind of supervision needs.
TrainingData prepare_training(const TrainingFiles& files, Supervision needed, Seed seed,
                              int threads, const Readers& readers);

/// Moves the lists into the training set; their counts stay in data.lists.
void attach_lists(TrainingData& data, BuiltLists lists);

}  // namespace structhash::cli
