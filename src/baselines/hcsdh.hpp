#pragma once

#include "baselines/function_hasher.hpp"
#include "baselines/kernel_features.hpp"

/// Hadamard codes of classes, learned by regression (docs/methods.md C.16; Koutaki, Shirai, Ambai,
/// IEEE TIP 2018).
namespace structhash {

struct HcsdhParams {
  Index bits = 64;
  FeatureParams features{.functions = Functions::kernel, .anchors = 1000};
};
inline constexpr auto kHcsdhOptions = std::tuple_cat(std::tuple{bits_option(&HcsdhParams::bits)},
                                                     ridged_options(&HcsdhParams::features));

/// Codes of classes: classes x bits of +1 and -1, columns of a Sylvester-Hadamard matrix of the
/// smallest size that holds all bits and more rows than classes.  The rows are drawn at random with
/// indices of the largest rank under XOR: rows of low rank repeat the same few columns.
Matrix<float> hadamard_codes(Index classes, Index bits, Seed seed);

/// Needs one class per row.
HashModel fit_hcsdh(const TrainingSet& data, const HcsdhParams& params, const FitContext& context);

}  // namespace structhash
