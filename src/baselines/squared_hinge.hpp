#pragma once

#include <memory>
#include <span>
#include <vector>

#include "learner/weight_learner.hpp"
#include "structhash/core/parallel.hpp"

/// Weights of bits under the squared hinge of triplets: the smooth loss of CGH.
namespace structhash {

/// For one list with distances d of relevant and e of irrelevant items
///
///   loss = 1/(P N) sum_{j,k} 1/2 max(0, 1 - 2 (e_k - d_j))^2
///
/// and its derivative by every distance, `slopes`: relevant items first, as in `distances`.
/// Cost: O((P + N) log(P + N)); the triplets are never listed.
double squared_hinge(std::span<const float> distances, std::size_t relevant,
                     std::span<float> slopes);

/// Learns all weights again after every bit:  min_{w >= 0} ||w||_1 + C sum_lists weight loss,
/// by L-BFGS within bounds.  Signature of make_totally_corrective.
std::unique_ptr<WeightLearner> make_squared_hinge(const ListTable& lists, CuttingPlane first,
                                                  double trade_off, const WeightParams& params,
                                                  Threads threads);

}  // namespace structhash
