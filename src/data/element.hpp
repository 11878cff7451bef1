#pragma once

#include <cstddef>
#include <cstdint>

#include "structhash/core/types.hpp"

namespace structhash::data {

/// How one number is stored in a binary file.
enum class Element { u1, i1, u2, i2, u4, i4, u8, i8, f2, f4, f8 };

std::size_t element_size(Element element);

/// Turns `count` stored numbers into floats or doubles.  T is float (features) or double (labels).
template <typename T>
void decode(Element element, bool big_endian, const std::byte* in, std::size_t count, T* out);

/// True if no value is NaN or infinite.
bool all_finite(const float* values, std::size_t count);

}  // namespace structhash::data
