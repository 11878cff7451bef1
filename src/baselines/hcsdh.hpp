#pragma once

#include <memory>
#include <vector>

#include "baselines/kernel_features.hpp"

/// Hadamard codes of classes, learned by regression (docs/methods.md C.16; Koutaki, Shirai, Ambai,
/// IEEE TIP 2018).
namespace structhash {

struct HcsdhParams {
  Index bits = 64;
  double ridge = 1e-7;  // > 0: of the regression, on features of unit spread
  FeatureOptions features{.functions = "kernel", .anchors = 1000, .width = 0.35};
};
void check(const HcsdhParams& params);

/// Codes of classes: classes x bits of +1 and -1, columns of a Sylvester-Hadamard matrix of the
/// smallest size that holds all bits and more rows than classes.  The rows are drawn at random with
/// indices of the largest rank under XOR: rows of low rank repeat the same few columns.
Matrix<float> hadamard_codes(Index classes, Index bits, Seed seed);

/// Needs one class per row.
HashModel fit_hcsdh(const TrainingSet& data, const HcsdhParams& params, const FitContext& context);

/// Options: ridge; functions, anchors, width.
std::unique_ptr<Hasher> make_hcsdh(const MethodOptions& options);

}  // namespace structhash
