#pragma once

#include "data/preprocess.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"

/// Linear support vector machines with squared hinge, one per column of the signs.
namespace structhash {

struct SvmParams {
  double trade_off = 1.0;   // C > 0
  int passes = 30;          // over the rows, at most
  double tolerance = 0.05;  // largest violation of optimality at which a machine is finished
};

///   min_v,o  1/2 (||v||^2 + o^2) + C sum_i max(0, 1 - s_i (v . z_i + o))^2
///
/// signs: rows x machines, +1 or -1.  Dual coordinate descent (Hsieh et al., ICML 2008).
LinearFunctions fit_linear_svms(const Matrix<float>& z, const Matrix<float>& signs,
                                const SvmParams& params, Seed seed, Threads threads);

}  // namespace structhash
