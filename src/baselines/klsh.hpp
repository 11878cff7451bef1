#pragma once

#include "baselines/function_hasher.hpp"

/// Random hyperplanes in a kernel space (docs/methods.md C.11; Kulis, Grauman, ICCV 2009).
namespace structhash {

struct KlshParams {
  Index bits = 64;
  Index anchors = 300;  // p
  Index subset = 30;    // t
  double width = 1.0;
};
inline constexpr std::tuple kKlshOptions{
    bits_option(&KlshParams::bits),
    Option{"anchors", &KlshParams::anchors, at_least(2),
           "Maximum number of anchors: training rows drawn at random"},
    Option{"subset", &KlshParams::subset, at_least(1),
           "Anchors whose sum gives one random direction"},
    Option{"width", &KlshParams::width, above(0),
           "Kernel width sigma^2, as a multiple of the mean squared distance to the anchors"}};

HashModel fit_klsh(const TrainingSet& data, const KlshParams& params, const FitContext& context);

}  // namespace structhash
