#pragma once

#include <memory>
#include <string>

#include "hashing/families/tree.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// FastHash: bits inferred by graph cuts, then learned by boosted trees (docs/methods.md C.14; Lin,
/// Shen, Shi, van den Hengel, Suter, CVPR 2014).
namespace structhash {

struct FastHashParams {
  Index bits = 64;
  std::string loss = "hinge";  // of the Hamming distance of a pair: hinge, ksh or bre
  Index partners = 100;        // similar and as many dissimilar ones per row, at most
  Index sweeps = 2;            // over the blocks of a cut
  TreeFamilyParams trees{.trees = 30, .depth = 4, .rate = 0.3, .bag = 1.0};
};
void check(const FastHashParams& params);

/// Learns from classes and from multi-labels.
HashModel fit_fasthash(const TrainingSet& data, const FastHashParams& params,
                       const FitContext& context);

/// Options: loss, partners, sweeps, trees, depth, rate, feature-share.
std::unique_ptr<Hasher> make_fasthash(const MethodOptions& options);

}  // namespace structhash
