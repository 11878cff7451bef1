#pragma once

#include "baselines/function_hasher.hpp"
#include "baselines/kernel_features.hpp"

/// Binary reconstructive embeddings, supervised (docs/methods.md C.8; Kulis, Darrell, NIPS 2009).
namespace structhash {

struct BresParams {
  Index bits = 64;
  Index points = 1000;
  Index supports = 20;
  double partners = 0.05;
  Index sweeps = 10;
  double tolerance = 1e-3;
  FeatureParams features{};
};
inline constexpr auto kBresOptions = std::tuple_cat(
    std::tuple{
        bits_option(&BresParams::bits),
        Option{"points", &BresParams::points, at_least(2), "Maximum number of training rows used"},
        Option{"supports", &BresParams::supports, at_least(1), "Support points per bit"},
        Option{"partners", &BresParams::partners, kShare,
               "Pairs per point, as a share of the points"},
        Option{"sweeps", &BresParams::sweeps, at_least(1),
               "Maximum number of sweeps over all bits and supports"},
        Option{"tolerance", &BresParams::tolerance, at_least(0),
               "Stop when a sweep lowers the objective by less than this share"}},
    dithered_options(&BresParams::features));

HashModel fit_bres(const TrainingSet& data, const BresParams& params, const FitContext& context);

}  // namespace structhash
