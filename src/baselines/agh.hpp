#pragma once

#include <optional>

#include "baselines/function_hasher.hpp"

/// Anchor graph hashing (docs/methods.md C.4; Liu, Wang, Kumar, Chang, ICML 2011).
namespace structhash {

struct AghParams {
  Index bits = 64;
  std::optional<Index> anchors{};  // m; auto: 300, but at most half of the training rows
  Index neighbours = 2;            // s <= m
  Index iterations = 10;
};
inline constexpr std::tuple kAghOptions{
    bits_option(&AghParams::bits),
    Option{"anchors", &AghParams::anchors, at_least(2),
           "Number of anchors; auto: 300, but at most half of the training rows"},
    Option{"neighbours", &AghParams::neighbours, at_least(1),
           "Nearest anchors that represent a row"},
    Option{"iterations", &AghParams::iterations, at_least(0),
           "Iterations of k-means, which places the anchors"}};

/// Two layers: two thresholds per eigenvector.
HashModel fit_agh(const TrainingSet& data, const AghParams& params, const FitContext& context);

/// One layer: one threshold per eigenvector.
HashModel fit_agh1(const TrainingSet& data, const AghParams& params, const FitContext& context);

}  // namespace structhash
