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
  bool bootstrap = false;     // find every bit but the first on its own bootstrap of the lists
  bool random_duals = false;  // find the first bit on random rankings, not on the worst ones
  WeightParams weights;
};
void check(const LearnerParams& params);

struct LearnedCode {
  std::vector<LearnedBit> bits;
  std::vector<double> weights;  // w >= 0, one per bit
  double trade_off = 0.0;       // C itself
  std::vector<BitLog> log;      // one entry per bit
  Index restarts = 0;           // bits redrawn because they repeated an earlier one or did not help
  bool refined = false;         // by joint refinement (learner/refinement.hpp)
};

/// The state of a training after a bit.
struct LearnerState {
  LearnedCode code;  // its weights are those of the state
  WeightState weights;
};

/// Makes what learns the weights, once the first bit has set the scale of C (`trade_off`).
using MakeWeightLearner = std::function<std::unique_ptr<WeightLearner>(
    const ListTable& lists, CuttingPlane first, double trade_off, const WeightParams& params,
    Threads threads)>;

/// How a training runs.
struct LearnContext {
  Seed seed{};
  Threads threads = 1;
  ProgressCallback on_progress{};
  const LearnerState* resume = nullptr;              // a state of the same training to continue
  std::function<void(LearnerState state)> on_bit{};  // called after every bit
};

/// The pairs of the lists as a quadratic form without weights.
PairForm pair_form(const ListTable& lists);

/// Sets one bit of every row.
void set_column(CodeMatrix& codes, Index bit, std::span<const std::int8_t> signs);

/// Column generation with any learner of weights; the mode of the parameters is not used.
LearnedCode learn_with(const MakeWeightLearner& make, const ListTable& lists,
                       const HashFamily& family, const LearnerParams& params,
                       const LearnContext& context);

LearnedCode learn(const ListTable& lists, const HashFamily& family, const LearnerParams& params,
                  const LearnContext& context);

}  // namespace structhash
