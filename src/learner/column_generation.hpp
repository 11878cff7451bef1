#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hashing/hash_family.hpp"
#include "learner/list_table.hpp"
#include "learner/weight_learner.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"

/// Algorithm 1: column generation invents one bit at a time, cutting planes learn the weight of
/// every bit (docs/methods.md A.10).
namespace structhash {

enum class TrainingMode { totally_corrective, stage_wise };

struct LearnerParams {
  Index bits = 64;
  double trade_off = 30.0;  // C over C_min, the smallest at which any weight is non-zero; > 1
  TrainingMode mode = TrainingMode::totally_corrective;
  bool bootstrap = false;  // every bit but the first sees its own bootstrap of the lists
  WeightParams weights;
};
void check(const LearnerParams& params);

struct LearnedCode {
  std::vector<LearnedBit> bits;
  std::vector<double> weights;  // w >= 0, one per bit
  double trade_off = 0.0;       // C itself
  std::vector<BitLog> log;      // one entry per bit
  Index restarts = 0;           // bits redrawn because they repeated an earlier one or did not help
};

/// A training as far as it has come.
struct LearnerState {
  LearnedCode code;  // its weights are those of the state
  WeightState weights;
};

class Checkpoint;  // where the state is kept after every bit (src/learner/checkpoint.hpp)

/// Makes what learns the weights, once the first bit has set the scale of C (`trade_off`).
using MakeWeightLearner = std::function<std::unique_ptr<WeightLearner>(
    const ListTable& lists, CuttingPlane first, double trade_off, const WeightParams& params,
    Threads threads)>;

/// Column generation with any learner of weights; the mode of the parameters is not looked at.
LearnedCode learn_with(const MakeWeightLearner& make, const ListTable& lists,
                       const HashFamily& family, const LearnerParams& params, Seed seed,
                       Threads threads, const ProgressCallback& on_progress,
                       Checkpoint* checkpoint = nullptr);

LearnedCode learn(const ListTable& lists, const HashFamily& family, const LearnerParams& params,
                  Seed seed, Threads threads, const ProgressCallback& on_progress,
                  Checkpoint* checkpoint = nullptr);

}  // namespace structhash
