#pragma once

#include "core/shards.hpp"
#include "structhash/hashing/hasher.hpp"

namespace structhash {

/// The shards of a training set, numbered over all processes.
Shards shards_of(const TrainingSet& data, const FitContext& context);

}  // namespace structhash
