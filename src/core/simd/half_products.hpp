#pragma once

#include <cstddef>
#include <cstdint>

/// Products of rows in half precision (IEEE binary16) with vectors in single precision.  Rows are
/// padded with zeros to a multiple of kHalfLanes.  Every instruction set gives the same bytes.
namespace structhash::simd {

inline constexpr std::size_t kHalfLanes = 16;

/// result[r] = row r . x, summed in sixteen interleaved chains whatever the vector width.
void half_times_vector(const std::uint16_t* rows, std::size_t count, std::size_t columns,
                       const float* x, float* result);

/// sums += sum_r x[r] * row r.
void add_half_rows(const std::uint16_t* rows, std::size_t count, std::size_t columns,
                   const float* x, float* sums);

/// The values of one padded row, or of several, in single precision.
void halves_to_floats(const std::uint16_t* from, std::size_t count, float* to);

}  // namespace structhash::simd
