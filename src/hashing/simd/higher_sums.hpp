#pragma once

#include <cstddef>
#include <cstdint>

namespace structhash {

inline constexpr std::size_t kHigherLanes = 64;  // features of one block

/// For each of 64 features k:  sums[k] = sum_i entries[i] * [ ranks[64 columns[i] + k] > own[k] ],
/// in order of i, so that every instruction set gives the same bytes.
/// ranks: rows x 64, one block of features; own: the ranks of one row.
void higher_sums(const float* entries, const std::int32_t* columns, std::size_t count,
                 const std::int32_t* ranks, const std::int32_t* own, float* sums);

}  // namespace structhash
