#pragma once

#include <memory>
#include <string>

#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// Column generation hashing: bits and weights from triplets (docs/methods.md C.13; Li, Lin, Shen,
/// van den Hengel, Dick, ICML 2013).
namespace structhash {

struct CghParams {
  Index bits = 64;
  std::string loss = "squared-hinge";  // of the margin of a triplet, or "hinge"
  std::string functions = "linear";    // the hash family: linear, kernel, stump, tree
  double trade_off = 30.0;             // C over the smallest C that learns anything; > 1
  double ridge = 0.0;                  // of soft whitening; 0: the default of the family
  double penalty = 0.0;                // on directions; 0: the default of the family
  double shrinkage = 0.5;              // of the weights towards their mean, in 0..1
};
void check(const CghParams& params);

/// Needs relevance lists; a list of P relevant and N irrelevant items stands for P N triplets,
/// which are never written down.
HashModel fit_cgh(const TrainingSet& data, const CghParams& params, const FitContext& context);

/// Options: loss, trade-off, ridge, penalty, shrinkage; functions.
std::unique_ptr<Hasher> make_cgh(const MethodOptions& options);

}  // namespace structhash
