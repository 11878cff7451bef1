#pragma once

#include "baselines/function_hasher.hpp"
#include "hashing/families/tree.hpp"

/// FastHash: bits inferred by graph cuts, then learned by boosted trees (docs/methods.md C.14; Lin,
/// Shen, Shi, van den Hengel, Suter, CVPR 2014).
namespace structhash {

/// Loss of the Hamming distance of a pair.
enum class PairLoss { hinge, ksh, bre };
inline constexpr Choice kPairLosses{std::array{
    Named{"hinge", PairLoss::hinge}, Named{"ksh", PairLoss::ksh}, Named{"bre", PairLoss::bre}}};

struct FastHashParams {
  Index bits = 64;
  PairLoss loss = PairLoss::hinge;
  Index partners = 100;
  Index sweeps = 2;
  TreeFamilyParams trees{.trees = 30, .depth = 4, .rate = 0.3, .bag = 1.0};
};
inline constexpr std::tuple kFastHashOptions{
    bits_option(&FastHashParams::bits),
    Option{"loss", &FastHashParams::loss, kPairLosses, "Loss of the Hamming distance of a pair"},
    Option{"partners", &FastHashParams::partners, at_least(1),
           "Maximum number of similar pairs per row, and of dissimilar ones"},
    Option{"sweeps", &FastHashParams::sweeps, at_least(1),
           "Sweeps of the graph cut over its blocks"},
    Option{"trees", Nested{&FastHashParams::trees, &TreeFamilyParams::trees}, at_least(1),
           "Trees per bit"},
    Option{"depth", Nested{&FastHashParams::trees, &TreeFamilyParams::depth}, between(1, 12),
           "Depth of a tree"},
    Option{"rate", Nested{&FastHashParams::trees, &TreeFamilyParams::rate}, kShare,
           "Learning rate of the boosting"},
    Option{"feature-share", Nested{&FastHashParams::trees, &TreeFamilyParams::feature_share},
           kShare, "Share of the features drawn for each tree"}};

HashModel fit_fasthash(const TrainingSet& data, const FastHashParams& params,
                       const FitContext& context);

}  // namespace structhash
