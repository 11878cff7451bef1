#pragma once

#include <memory>
#include <vector>

#include "learner/params.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// StructHash as a method.
namespace structhash {

void check(const StructHashParams& params);

/// Needs relevance lists.  The model's parameters hold the chosen values and the training log.
HashModel fit_structhash(const TrainingSet& data, const StructHashParams& params,
                         const FitContext& context);

std::unique_ptr<Hasher> make_structhash(const MethodOptions& options);
std::vector<OptionInfo> structhash_options();

}  // namespace structhash
