#pragma once

#include <optional>

#include "baselines/kernel_features.hpp"
#include "learner/column_generation.hpp"

/// Column generation hashing: bits and weights from triplets (docs/methods.md C.13; Li, Lin, Shen,
/// van den Hengel, Dick, ICML 2013).
namespace structhash {

/// Loss of the margin of a triplet.
enum class TripletLoss { squared_hinge, hinge };

struct CghParams {
  Index bits = LearnerParams{}.bits;
  TripletLoss loss = TripletLoss::squared_hinge;
  double trade_off = LearnerParams{}.trade_off;
  std::optional<double> penalty;
  double shrinkage = 0.5;
  FeatureParams features{.anchors = KernelParams{}.anchors};
};

inline constexpr auto kCghOptions = std::tuple_cat(
    std::tuple{
        bits_option(&CghParams::bits),
        Option{"loss", &CghParams::loss,
               Choice{std::array{Named{"squared-hinge", TripletLoss::squared_hinge},
                                 Named{"hinge", TripletLoss::hinge}}},
               "Loss of the margin of a triplet"},
        Option{"trade-off", &CghParams::trade_off, above(1),
               "C over the smallest C at which any bit weight is not zero"},
        Option{"penalty", &CghParams::penalty, at_least(0),
               "Penalty on the directions of hash functions; auto: by kind of functions",
               kSmoothFunctions},
        Option{"shrinkage", &CghParams::shrinkage, between(0, 1),
               "Shrinkage of the bit weights to equal weights; 1 is the plain Hamming distance"}},
    ridged_options(&CghParams::features, kAllFunctions));

/// Needs relevance lists; a list of P relevant and N irrelevant items stands for P N triplets,
/// which are never enumerated.
HashModel fit_cgh(const TrainingSet& data, const CghParams& params, const FitContext& context);

}  // namespace structhash
