#pragma once

#include <optional>
#include <string>

#include "hashing/families/smooth.hpp"
#include "learner/column_generation.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// StructHash as a method: measure, hash family, parameters chosen by validation, model.
namespace structhash {

/// An empty optional is chosen on held-out queries ("auto").
struct StructHashParams {
  std::string measure = "ndcg@100";  // what is optimised (ranking/measures.hpp)
  double auc_share = 0.5;  // of the loss (ranking/training_loss.hpp); 0: the measure alone
  std::string functions = "linear";  // the hash family: linear, kernel, stump, tree
  LearnerParams learner;             // its trade_off and bootstrap are not used
  std::optional<bool> bootstrap;     // of the lists, bit by bit; not given: uses_bootstrap
  std::optional<double> trade_off;   // C over C_min; > 1
  std::optional<double> ridge;       // of soft whitening; linear and kernel
  std::optional<double> penalty;     // rho on directions; linear and kernel
  SmoothParams smooth;               // how functions are found; linear and kernel, but for penalty
  std::optional<double> width;       // of the kernel
  std::optional<double> shrinkage;   // alpha in 0..1: weights towards their mean
  std::optional<double> dither;      // of the functions (Dither); linear and kernel
  Index anchors = 2000;              // of the kernel, at most
  double self_response = 0.6;        // of an anchor's own row in training, see KernelFamilyParams
  double validation = 0.2;           // share of the queries held out for choosing
};
void check(const StructHashParams& params);

/// Needs relevance lists.  The model's parameters hold what was chosen, and the training log.
HashModel fit_structhash(const TrainingSet& data, const StructHashParams& params,
                         const FitContext& context);

std::unique_ptr<Hasher> make_structhash(const MethodOptions& options);

}  // namespace structhash
