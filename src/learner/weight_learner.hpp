#pragma once

#include <memory>
#include <span>
#include <vector>

#include "learner/cutting_plane.hpp"
#include "learner/list_table.hpp"
#include "learner/master_problem.hpp"
#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/parallel.hpp"

/// Learning the weight of every bit, and the pair weights that the next bit is fitted to.
namespace structhash {

struct WeightParams {
  double gap = 0.1;             // relative duality gap at which a bit's cutting planes stop
  int max_planes_per_bit = 50;  // at which they stop, too
  int idle_bits = 5;            // a plane without dual weight for more bits is dropped
};
void check(const WeightParams& params);

/// Why the cutting planes of a bit stopped.
enum class Stop {
  converged,    // the gap is reached
  plane_limit,  // max_planes_per_bit
  stalled,      // the rounding of distances allows no further progress
};

/// What happened while the weight of one bit was learned.
struct BitLog {
  double edge = 0.0;       // F of the new bit, the left-hand side of (12b): above 1 it helps
  double objective = 0.0;  // ||w||_1 + C xi at the weights kept, Eq. (10a)
  double bound = 0.0;  // lower bound of the same over all weights; stage-wise: the line search's
  double slack = 0.0;  // xi: mean augmented loss at the weights kept
  double violation = 0.0;  // of the last plane found, above the slack of the linear programme
  int passes = 0;          // calls of the row oracle
  Index planes = 0;        // in the linear programme afterwards
  Stop stop = Stop::converged;
};

/// The state of a weight learner after a bit, enough to continue exactly.  A plane is stored as the
/// weights it was found at; one pass over the pairs finds it again.
struct WeightState {
  std::vector<double> weights;  // one per bit
  double objective = 0.0;       // at those weights
  double slack = 0.0;
  std::vector<std::vector<double>> points;  // of the planes
  std::vector<double> duals;                // per plane; empty where there are none
  std::vector<std::int64_t> idle_bits;      // per plane, likewise
  MasterJournal journal;
};

class WeightLearner {
 public:
  virtual ~WeightLearner() = default;
  /// Weights of the column subproblem, Eq. (14)-(16): what the next bit should separate.
  virtual std::vector<float> pair_weights() const = 0;
  /// Updates the weights after a new bit: `codes` hold it, `signs` are its values.
  virtual void add_bit(const CodeMatrix& codes, std::span<const std::int8_t> signs,
                       BitLog& log) = 0;
  virtual const std::vector<double>& weights() const = 0;
  /// For checkpoints; throws Errc::usage if the learner supports none.
  virtual WeightState state() const;
  /// Continues from a state of the same training; `codes` hold all bits so far.
  virtual void restore(const WeightState& state, const CodeMatrix& codes);
};

/// Totally corrective (the paper): all weights are learned again after every bit.
/// first: the plane most violated at w = 0; trade_off: C.
std::unique_ptr<WeightLearner> make_totally_corrective(const ListTable& lists, CuttingPlane first,
                                                       double trade_off, const WeightParams& params,
                                                       Threads threads);

/// Stage-wise: earlier weights stay, only that of the new bit is fitted (docs/methods.md
/// A.16).
std::unique_ptr<WeightLearner> make_stage_wise(const ListTable& lists, CuttingPlane first,
                                               double trade_off, const WeightParams& params,
                                               Threads threads);

}  // namespace structhash
