#pragma once

#include <string_view>

/// Conventions for bits, stored in every code file and every model file (docs/format.md).
namespace structhash {

/// Bit i of a code is bit i mod 8 of byte i / 8, counted from the least significant.
inline constexpr std::string_view kBitOrder = "lsb-first";

/// A bit is 1 exactly when the value of its hash function is greater than zero.
inline constexpr std::string_view kThresholdRule = "value > 0";

}  // namespace structhash
