#pragma once

#include <string>

#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/hashing/model.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// What every method implements: one function that turns a training set into a model.
namespace structhash {

class Communicator;  // core/communicator.hpp

struct FitContext {
  Seed seed{};
  Threads threads = 1;  // may hold a flag that stops training
  ProgressCallback on_progress{};
  /// Path of the checkpoint, from which training continues if it exists; empty: none.  Used by
  /// StructHash alone.
  std::string checkpoint{};
  bool checkpoint_every_bit = true;  // false: written after the last bit alone
  /// Processes that train together, each on its own shards; nullptr: this one alone.  Used by
  /// StructHash alone.
  Communicator* processes = nullptr;
};

/// StructHash and every baseline: holds hyper-parameters only, never learned state.
class Hasher {
 public:
  virtual ~Hasher() = default;
  virtual HashModel fit(const TrainingSet& data, const FitContext& context) const = 0;
};

/// What a method learns from besides the features.
enum class Supervision { none, labels, lists };

/// Throws Errc::bad_data unless there is something to learn from: rows and columns, finite values,
/// as many labels as rows, lists that name existing rows; and, where the method needs them, labels
/// of at least two classes or at least one list; and no queries of another kind, unless the method
/// learns two encoders.  Every `fit` begins with it.
void check(const TrainingSet& data, Supervision needed, Threads threads = 1,
           bool two_encoders = false);

}  // namespace structhash
