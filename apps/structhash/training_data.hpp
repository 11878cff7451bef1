#pragma once

#include <string>
#include <vector>

#include "core/communicator.hpp"
#include "inputs.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/relevance/builders.hpp"

/// What `train` learns from, as its options name it.
namespace structhash::cli {

struct TrainingFiles {
  DataFiles items;
  std::vector<std::string> query_features;  // with --relevance
  std::string relevance;                    // TREC judgments in place of labels
  Index queries = 0;                        // random rows left out, as `evaluate --queries` does
  Index train_size = 0;                     // random rows of the rest; 0: all of them
  ListOptions lists;                        // relevant and irrelevant items per query
  Index shards = 0;                         // the rows are cut into; 0: by their number
};

void add_training_options(Command& command, TrainingFiles& files);

/// Fingerprints of what was read, made where there are several processes.
struct Prints {
  std::string common;  // what every process reads whole
  std::string own;     // the rows of this process
  std::string next;    // the rows of the process after it
};

struct TrainingData {
  TrainingSet set;
  BuiltLists lists;  // only the counts; the lists themselves stand in `set`
  Index rows = 0;    // of all processes
  Index shards = 1;  // likewise
  Prints prints;
};

/// Who reads: the processes of a training, and whether its rows may be cut into shards, of which
/// each process keeps its own.
struct Readers {
  Communicator& processes;
  bool may_cut = false;
};

/// Reads what a method with this kind of supervision needs; throws Errc::usage when the options
/// do not name it.
TrainingData prepare_training(const TrainingFiles& files, Supervision needed, Seed seed,
                              int threads, const Readers& readers);

/// Moves the lists into the training set and keeps their counts.
void attach_lists(TrainingData& data, BuiltLists lists);

}  // namespace structhash::cli
