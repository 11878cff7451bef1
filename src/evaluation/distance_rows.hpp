#pragma once

#include <cstdint>
#include <span>

#include "structhash/codes/code_matrix.hpp"
#include "structhash/codes/distance.hpp"

/// Distances of one code to every code of a database.
namespace structhash {

/// The longest code whose distances fit two bytes.
inline constexpr Index kMaxCodeBits = 65'472;

/// distances[i] = hamming(query, database.row(i)).
void hamming_row(const CodeMatrix& database, CodeView query, std::span<std::uint16_t> distances);

/// distances[i] = weights.distance(query, database.row(i)), the same floats bit by bit: the same
/// table entries added in the same order.
void weighted_row(const CodeMatrix& database, CodeView query, const WeightTable& weights,
                  std::span<float> distances);

}  // namespace structhash
