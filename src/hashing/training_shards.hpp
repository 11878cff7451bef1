#pragma once

#include "core/shards.hpp"
#include "structhash/hashing/hasher.hpp"

namespace structhash {

/// The cut of a training set's rows, the shards of other processes counted.
Shards shards_of(const TrainingSet& data, const FitContext& context);

}  // namespace structhash
