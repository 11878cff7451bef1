#pragma once

#include "baselines/function_hasher.hpp"
#include "baselines/kernel_features.hpp"

/// Supervised self-taught hashing: spectral codes of a label graph, then one classifier per bit
/// (docs/methods.md C.9; Zhang, Wang, Cai, Lu, SIGIR 2010).
namespace structhash {

struct SthsParams {
  Index bits = 64;
  Index neighbours = 25;
  double trade_off = 1.0;  // C
  FeatureParams features{};
};
inline constexpr auto kSthsOptions =
    std::tuple_cat(std::tuple{bits_option(&SthsParams::bits),
                              Option{"neighbours", &SthsParams::neighbours, at_least(1),
                                     "Nearest neighbours of a row within its class, in the graph"},
                              Option{"trade-off", &SthsParams::trade_off, above(0),
                                     "Trade-off C of the support vector machines"}},
                   dithered_options(&SthsParams::features));

/// Throws Errc::usage unless there are more training rows than bits: each bit is an eigenvector.
HashModel fit_sths(const TrainingSet& data, const SthsParams& params, const FitContext& context);

}  // namespace structhash
