#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "structhash/core/types.hpp"

/// The linear programme between the two oracles: the 1-slack problem (10) over the bits and planes
/// found so far, and its dual (12).
namespace structhash {

struct MasterSolution {
  std::vector<double> weights;  // w >= 0, one per bit
  double slack = 0.0;           // xi
  std::vector<double> duals;    // lambda >= 0, one per plane
  double objective = 0.0;       // ||w||_1 + C xi
};

///   min_{w >= 0, xi >= 0}  sum_b w_b + C xi
///   s.t.  sum_b G_t[b] w_b + xi >= D_t        for every plane t
class MasterProblem {
 public:
  virtual ~MasterProblem() = default;
  virtual void add_bit(std::span<const double> plane_coefficients) = 0;
  virtual void add_plane(std::span<const double> bit_coefficients, double loss) = 0;
  /// Drops planes by their number; ascending.
  virtual void drop_planes(std::span<const Index> planes) = 0;
  /// Warm-started.  Throws Errc::solver_failure when no optimum is reached.
  virtual MasterSolution solve() = 0;
};

/// All calls of a master problem, in order.  The result of a warm-started solver depends on all
/// earlier calls, so a new solver continues exactly only after a replay of them.
struct MasterJournal {
  enum Step : std::int64_t { add_bit, add_plane, drop_planes, solve };
  std::vector<std::int64_t> steps;  // each: a Step, a count, and the planes of a drop_planes
  std::vector<double> numbers;      // coefficients; the loss follows those of a plane
};

/// On COIN-OR CLP (docs/adr/0004).  trade_off: C > 0.
std::unique_ptr<MasterProblem> make_clp_master(double trade_off);

}  // namespace structhash
