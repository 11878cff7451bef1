#pragma once

#include <span>

#include "hashing/families/whitened.hpp"
#include "learner/column_generation.hpp"

/// Joint refinement: all bit functions at once, after column generation has found them one by one
/// (docs/adr/0028).
namespace structhash {

struct RefinementParams {
  int iterations = 30;     // of L-BFGS; 0: the functions stay as they are
  int lengths = 1;         // of codes that the loss is a mean over: m / lengths, ..., m bits
  double slope = 10.0;     // of the loss of a pair
  double margin = 0.1;     // by which a relevant item should be more similar; codes agree by 1
  double distance = 1e-3;  // penalty on the change of the functions
};
void check(const RefinementParams& params);

/// Minimises a smooth ranking loss of the training lists over all bit functions,
///
///   mean_lengths mean_lists mean_{j relevant, k irrelevant} log(1 + exp(slope (s(q, k) - s(q, j) +
///   margin)))
///     + distance / B sum_b ||v_b - start_b||^2,
///   s(q, x) = sum_b w_b tanh(f_b(q)) tanh(f_b(x)) / sum_b w_b,   f_b(x) = v_b . z + offset_b
///
/// from functions scaled to unit mean square, with the sums over the first m/L, 2m/L, ..., m of the
/// m bits, L = lengths: the first bits are then codes of their own.
///
/// Keeps the result if the slack of (10) falls: the mean augmented loss of the measure at
/// `weights`, scaled to the sum of those that (10) learned, which fit the functions as they were
/// (docs/adr/0035).  Else returns the code as it is.
///
/// weights: of the distance that the codes are compared by, one per bit.
/// Cost of an iteration: two products rows x features x bits, and pairs x bits x (lengths + 1) / 2.
LearnedCode refine(LearnedCode code, const ListTable& lists, const WhitenedFamily& family,
                   std::span<const float> weights, const RefinementParams& params, Threads threads);

}  // namespace structhash
