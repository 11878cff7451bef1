#include "hashing/lbfgs.hpp"

#include <LBFGS.h>
#include <LBFGSB.h>

#include <limits>
#include <new>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

template <typename Options>
Options options_of(const LbfgsParams& params) {
  Options options;
  options.m = params.memory;
  options.max_iterations = params.max_iterations;
  options.epsilon = params.gradient;
  options.epsilon_rel = params.relative_gradient;
  options.past = params.past;
  options.delta = params.improvement;
  return options;
}

/// Runs a search that ends with an exception where the line search finds no further decrease.
template <typename Search>
void run(const Search& search) {
  try {
    search();
  } catch (const Error&) {  // of the function: stopped
    throw;
  } catch (const std::bad_alloc&) {  // not the end of a search
    throw;
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
    // The point holds the last iterate.
  }
}

}  // namespace

Eigen::VectorXd minimise(const SmoothFunction& function, Eigen::VectorXd start,
                         const LbfgsParams& params) {
  if (params.max_iterations == 0) {  // to the library 0 means no limit
    return start;
  }
  auto options = options_of<LBFGSpp::LBFGSParam<double>>(params);
  double value = 0.0;
  run([&] {
    if (params.line_search == LineSearch::bracketing) {
      options.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_WOLFE;
      LBFGSpp::LBFGSSolver<double, LBFGSpp::LineSearchBracketing> solver(options);
      solver.minimize(function, start, value);
    } else {
      LBFGSpp::LBFGSSolver<double> solver(options);
      solver.minimize(function, start, value);
    }
  });
  return start;
}

Eigen::VectorXd minimise_nonnegative(const SmoothFunction& function, Eigen::VectorXd start,
                                     const LbfgsParams& params) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(start.size());
  const Eigen::VectorXd unbounded =
      Eigen::VectorXd::Constant(start.size(), std::numeric_limits<double>::infinity());
  const auto options = options_of<LBFGSpp::LBFGSBParam<double>>(params);  // solvers refer to it
  double value = 0.0;
  run([&] {
    LBFGSpp::LBFGSBSolver<double> solver(options);
    solver.minimize(function, start, value, zero, unbounded);
  });
  return start.cwiseMax(0.0);
}

}  // namespace structhash
