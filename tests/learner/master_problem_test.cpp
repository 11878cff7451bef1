#include "learner/master_problem.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "structhash/core/error.hpp"
#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

constexpr double kTradeOff = 5.0;

struct Rows {
  std::vector<std::vector<double>> coefficients;
  std::vector<double> losses;
};

/// Primal feasible, dual feasible, equal values: nothing else is an optimum of (10) and (12).
void expect_certificate(const Rows& rows, const MasterSolution& solution) {
  const double primal = std::accumulate(solution.weights.begin(), solution.weights.end(), 0.0) +
                        kTradeOff * solution.slack;
  double dual = 0.0;
  double mass = 0.0;
  std::vector<double> edges(solution.weights.size(), 0.0);
  ASSERT_EQ(solution.duals.size(), rows.losses.size());
  for (std::size_t t = 0; t < rows.losses.size(); ++t) {
    double left = solution.slack;
    for (std::size_t b = 0; b < solution.weights.size(); ++b) {
      left += rows.coefficients[t][b] * solution.weights[b];
      edges[b] += rows.coefficients[t][b] * solution.duals[t];
    }
    EXPECT_GE(left, rows.losses[t] - 1e-8);                               // (10b)
    EXPECT_NEAR((left - rows.losses[t]) * solution.duals[t], 0.0, 1e-7);  // slackness
    EXPECT_GE(solution.duals[t], 0.0);
    dual += rows.losses[t] * solution.duals[t];  // (12a), with 1/m
    mass += solution.duals[t];
  }
  for (const double edge : edges) {
    EXPECT_LE(edge, 1.0 + 1e-8);  // (12b)
  }
  EXPECT_LE(mass, kTradeOff + 1e-8);  // (12c)
  EXPECT_NEAR(primal, dual, 1e-9 * std::max(1.0, primal));
  EXPECT_NEAR(primal, solution.objective, 1e-9 * std::max(1.0, primal));
}

TEST(MasterProblem, CertificateAtEverySolve) {
  Rng rng(Seed{1});
  const auto master = make_clp_master(kTradeOff);
  Rows rows;
  const auto add_plane = [&](std::size_t bits) {
    std::vector<double> row(bits);
    for (double& value : row) {
      value = 0.3 + 0.5 * rng.normal();
    }
    rows.coefficients.push_back(row);
    rows.losses.push_back(rng.uniform());
    master->add_plane(row, rows.losses.back());
  };
  add_plane(0);
  double previous = master->solve().objective;
  for (std::size_t bits = 1; bits <= 12; ++bits) {
    std::vector<double> column(rows.losses.size());
    for (std::size_t t = 0; t < column.size(); ++t) {
      column[t] = 0.3 + 0.5 * rng.normal();
      rows.coefficients[t].push_back(column[t]);
    }
    master->add_bit(column);
    MasterSolution solution = master->solve();
    EXPECT_LE(solution.objective, previous + 1e-9);  // a bit never hurts
    expect_certificate(rows, solution);
    for (int round = 0; round < 4; ++round) {
      const double before = solution.objective;
      add_plane(bits);
      solution = master->solve();
      EXPECT_GE(solution.objective, before - 1e-9);  // a plane never helps
      expect_certificate(rows, solution);
    }
    previous = solution.objective;
  }
  // Dropping planes without dual weight changes nothing.
  const MasterSolution before = master->solve();
  std::vector<Index> idle;
  Rows kept;
  for (std::size_t t = 0; t < rows.losses.size(); ++t) {
    if (before.duals[t] == 0.0) {
      idle.push_back(static_cast<Index>(t));
    } else {
      kept.coefficients.push_back(rows.coefficients[t]);
      kept.losses.push_back(rows.losses[t]);
    }
  }
  ASSERT_FALSE(idle.empty());
  master->drop_planes(idle);
  const MasterSolution after = master->solve();
  EXPECT_NEAR(after.objective, before.objective, 1e-9);
  expect_certificate(kept, after);
}

TEST(MasterProblem, RefusesNonsense) {
  EXPECT_THROW(make_clp_master(0.0), Error);
  EXPECT_THROW(make_clp_master(-1.0), Error);
  const auto master = make_clp_master(1.0);
  EXPECT_THROW(master->add_plane(std::vector{1.0}, 1.0), Error);
  EXPECT_THROW(master->add_bit(std::vector{1.0}), Error);
}

}  // namespace
}  // namespace structhash
