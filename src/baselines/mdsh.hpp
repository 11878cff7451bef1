#pragma once

#include "baselines/function_hasher.hpp"

/// Multidimensional spectral hashing (docs/methods.md C.3; Weiss, Fergus, Torralba, ECCV 2012).
namespace structhash {

struct MdshParams {
  Index bits = 64;
  double width = 1.0;
  Index neighbours = 100;
};
inline constexpr std::tuple kMdshOptions{
    bits_option(&MdshParams::bits),
    Option{"width", &MdshParams::width, above(0),
           "Affinity width sigma, as a multiple of the mean distance to the nearest neighbours"},
    Option{"neighbours", &MdshParams::neighbours, at_least(1),
           "Nearest neighbours per row in that mean"}};

HashModel fit_mdsh(const TrainingSet& data, const MdshParams& params, const FitContext& context);

}  // namespace structhash
