#pragma once

#include <cstddef>
#include <cstdint>

namespace structhash {

/// sum_i entries[i] * s[columns[i]], in sixteen interleaved chains whatever the vector width, so
/// that every instruction set gives the same bytes.
float sparse_dot(const float* entries, const std::int32_t* columns, std::size_t count,
                 const float* s);

}  // namespace structhash
