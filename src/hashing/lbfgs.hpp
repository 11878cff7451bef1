#pragma once

#include <Eigen/Core>
#include <functional>

/// Minimisation by L-BFGS; lbfgs.cpp is the only file that includes the library.
namespace structhash {

/// Value of a function at a point; sets its gradient.
using SmoothFunction =
    std::function<double(const Eigen::VectorXd& point, Eigen::VectorXd& gradient)>;

enum class LineSearch { backtracking, bracketing };

struct LbfgsParams {
  int max_iterations = 0;  // 0: the start as it is
  int memory = 6;          // corrections that approximate the Hessian
  double gradient = 1e-5;  // stops at ||g|| <= max(gradient, relative_gradient ||x||)
  double relative_gradient = 1e-5;
  int past = 0;              // stops when `past` iterations improve by less than
  double improvement = 0.0;  // this share
  LineSearch line_search = LineSearch::backtracking;
};

/// The last iterate: also where a line search finds no further decrease.  Errors of the function
/// itself (a stop request, out of memory) pass through.
Eigen::VectorXd minimise(const SmoothFunction& function, Eigen::VectorXd start,
                         const LbfgsParams& params);

/// The same over points with no entry below 0, always by the library's own line search.
Eigen::VectorXd minimise_nonnegative(const SmoothFunction& function, Eigen::VectorXd start,
                                     const LbfgsParams& params);

}  // namespace structhash
