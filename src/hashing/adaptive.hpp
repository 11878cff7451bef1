#pragma once

#include <vector>

#include "core/shards.hpp"
#include "structhash/hashing/encoder.hpp"

namespace structhash {

/// Linear and kernel functions have values whose size says how certain a bit is.
bool has_magnitudes(const Encoder& encoder);

/// HashModel::mean_magnitudes: mean |f_b| over about 250 evenly spaced training rows; nothing
/// for encoders without magnitudes.  `x` holds the rows of this process.
std::vector<float> mean_magnitudes(const Encoder& encoder, const MatrixView& x,
                                   const Shards& shards, Threads threads);

}  // namespace structhash
