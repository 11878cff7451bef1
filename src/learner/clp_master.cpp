#include <cmath>
#include <coin/ClpSimplex.hpp>
#include <numeric>
#include <string>

#include "learner/master_problem.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Column 0 is the slack xi, column 1 + b the weight of bit b; row t is plane t.
class ClpMaster final : public MasterProblem {
 public:
  explicit ClpMaster(double trade_off) {
    model_.setLogLevel(0);
    model_.scaling(0);  // coefficients are of order one
    model_.resize(0, 1);
    model_.setObjectiveCoefficient(0, trade_off);
    model_.setColumnBounds(0, 0.0, COIN_DBL_MAX);
    model_.setPrimalTolerance(1e-9);
    model_.setDualTolerance(1e-9);
  }

  void add_bit(std::span<const double> plane_coefficients) override {
    require(std::ssize(plane_coefficients) == model_.numberRows(), "one coefficient per plane");
    std::vector<int> rows(plane_coefficients.size());
    std::iota(rows.begin(), rows.end(), 0);
    model_.addColumn(static_cast<int>(rows.size()), rows.data(), plane_coefficients.data(), 0.0,
                     COIN_DBL_MAX, 1.0);
    rows_changed_ = false;
  }

  void add_plane(std::span<const double> bit_coefficients, double loss) override {
    require(std::ssize(bit_coefficients) + 1 == model_.numberColumns(), "one coefficient per bit");
    std::vector<int> columns(bit_coefficients.size() + 1);
    std::iota(columns.begin(), columns.end(), 0);
    std::vector<double> values{1.0};
    values.insert(values.end(), bit_coefficients.begin(), bit_coefficients.end());
    model_.addRow(static_cast<int>(columns.size()), columns.data(), values.data(), loss,
                  COIN_DBL_MAX);
    rows_changed_ = true;
  }

  void drop_planes(std::span<const Index> planes) override {
    const std::vector<int> rows(planes.begin(), planes.end());
    model_.deleteRows(static_cast<int>(rows.size()), rows.data());
  }

  /// A new plane leaves the dual feasible (dual simplex), a new bit the primal (primal simplex).
  MasterSolution solve() override {
    const int status = rows_changed_ ? model_.dual() : model_.primal();
    if (status != 0 && model_.primal() != 0) {
      fail(Errc::solver_failure, "the linear programme was not solved (CLP status " +
                                     std::to_string(model_.status()) + ")");
    }
    const int bits = model_.numberColumns() - 1;
    const int planes = model_.numberRows();
    const double* primal = model_.primalColumnSolution();
    const double* dual = model_.dualRowSolution();
    MasterSolution solution;
    solution.slack = std::max(0.0, primal[0]);
    for (int bit = 0; bit < bits; ++bit) {
      solution.weights.push_back(std::max(0.0, primal[1 + bit]));
    }
    for (int plane = 0; plane < planes; ++plane) {
      solution.duals.push_back(std::max(0.0, dual[plane]));
    }
    solution.objective = model_.objectiveValue();
    return solution;
  }

 private:
  ClpSimplex model_;
  bool rows_changed_ = true;
};

}  // namespace

std::unique_ptr<MasterProblem> make_clp_master(double trade_off) {
  require(trade_off > 0.0 && std::isfinite(trade_off), "the trade-off C must be a positive number");
  return std::make_unique<ClpMaster>(trade_off);
}

}  // namespace structhash
