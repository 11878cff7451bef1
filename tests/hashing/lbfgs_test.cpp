#include "hashing/lbfgs.hpp"

#include <gtest/gtest.h>

#include <new>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// 1/2 ||x - (3, -2)||^2
double bowl(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  gradient = x - Eigen::Vector2d(3.0, -2.0);
  return 0.5 * gradient.squaredNorm();
}

TEST(Lbfgs, FindsTheMinimumWithEitherLineSearch) {
  for (const LineSearch search : {LineSearch::backtracking, LineSearch::bracketing}) {
    const Eigen::VectorXd found =
        minimise(bowl, Eigen::VectorXd::Zero(2), {.max_iterations = 50, .line_search = search});
    EXPECT_NEAR(found(0), 3.0, 1e-4);
    EXPECT_NEAR(found(1), -2.0, 1e-4);
  }
}

TEST(Lbfgs, KeepsToTheBound) {
  const Eigen::VectorXd found =
      minimise_nonnegative(bowl, Eigen::VectorXd::Ones(2), {.max_iterations = 50});
  EXPECT_NEAR(found(0), 3.0, 1e-4);
  EXPECT_EQ(found(1), 0.0);
}

TEST(Lbfgs, NoIterationsGiveTheStart) {
  const Eigen::VectorXd start = Eigen::VectorXd::Constant(2, 7.0);
  EXPECT_EQ(minimise(bowl, start, {.max_iterations = 0}), start);
}

TEST(Lbfgs, ErrorsOfTheFunctionPassThrough) {
  const auto stopped = [](const Eigen::VectorXd&, Eigen::VectorXd&) -> double {
    fail(Errc::interrupted, "stopped");
  };
  const auto no_memory = [](const Eigen::VectorXd&, Eigen::VectorXd&) -> double {
    throw std::bad_alloc();
  };
  const Eigen::VectorXd start = Eigen::VectorXd::Zero(2);
  EXPECT_THROW(minimise(stopped, start, {.max_iterations = 5}), Error);
  EXPECT_THROW(minimise(no_memory, start, {.max_iterations = 5}), std::bad_alloc);
  EXPECT_THROW(minimise_nonnegative(stopped, start, {.max_iterations = 5}), Error);
}

}  // namespace
}  // namespace structhash
