#pragma once

#include <limits>

namespace structhash {

/// The nearest float of the same sign: a positive double must not round to zero.
inline float with_same_sign(double value) {
  const auto rounded = static_cast<float>(value);
  return value > 0.0 && rounded == 0.0F ? std::numeric_limits<float>::denorm_min() : rounded;
}

}  // namespace structhash
