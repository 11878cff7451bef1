#pragma once

#include <span>
#include <vector>

namespace structhash {

/// Bit weights of a model:  w_alpha = (1 - alpha) w + alpha mean(w), over mean(w).  The linear
/// programme's weights overfit (docs/adr/0010); alpha = 1 is the plain Hamming distance.  If all
/// weights are zero the result is the plain distance, too.
std::vector<float> shrunk_weights(std::span<const double> weights, double shrinkage);

}  // namespace structhash
