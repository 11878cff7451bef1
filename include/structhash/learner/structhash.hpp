#pragma once

#include <string>
#include <vector>

#include "structhash/core/progress.hpp"
#include "structhash/hashing/hash_family.hpp"
#include "structhash/learner/list_table.hpp"

/// StructHash itself, Algorithm 1: column generation invents one bit at a time, cutting planes
/// learn the weight of every bit (docs/methods.md A.10).
namespace structhash {

struct LearnerParams {
  Index bits = 64;
  double trade_off = 10.0;      // C over the smallest C at which any weight is non-zero; > 1
  double gap = 0.02;            // relative duality gap at which a bit's cutting planes stop
  int max_planes_per_bit = 50;  // and at the latest after so many
  int idle_bits = 5;            // a plane without dual weight for so many bits is dropped
};
void check(const LearnerParams& params);

/// What happened while one bit was learned.
struct BitLog {
  double edge = 0.0;       // F of the new bit: how much (12b) was violated
  double objective = 0.0;  // of the best weights found, Eq. (10a)
  double bound = 0.0;      // the linear programme's value: no weights can do better
  double slack = 0.0;      // mean augmented loss at those weights
  int passes = 0;          // calls of the row oracle
  Index planes = 0;        // in the linear programme afterwards
};

struct LearnedCode {
  std::vector<LearnedBit> bits;
  std::vector<double> weights;  // w >= 0 of the last linear programme, one per bit
  double trade_off = 0.0;       // C
  std::vector<BitLog> log;
};

LearnedCode learn(const ListTable& lists, const HashFamily& family, const LearnerParams& params,
                  Seed seed, int threads, const ProgressCallback& on_progress);

}  // namespace structhash
