#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "structhash/search/search_engine.hpp"

/// Weighted Hamming distances as sums of small integers, which tensor cores add up: lower bounds
/// that rule out nearly all rows.  Kernels and their twins in the tests share these definitions.
namespace structhash::search::gpu {

/// A row at a distance: the bits of the distance, then the row.  Keys of distances that are not
/// negative are ordered as (distance, row).
using Key = std::uint64_t;
inline constexpr Key kNoKey = std::numeric_limits<Key>::max();

Key key_of(float distance, Index row);
Neighbour neighbour_of(Key key);

/// The weight w_b of bit b becomes a whole number m_b from 0 to 127, with a scale s of the query:
///
///   m_b = min(127, floor(w_b / s)),   so that s m_b <= w_b.
///
/// With q the bits of the query, a_b = m_b if q_b = 0 and -m_b if q_b = 1, and the offset
/// sum_b q_b m_b, the bound of a row x is
///
///   D(x) = sum_b m_b [q_b != x_b] = offset + sum_b x_b a_b.
///
/// Claim: every row at a distance d(x) <= d, as WeightTable adds it up in floats, has
/// D(x) <= floor(factor d), where factor = room / s.
/// Proof: let r = sum_b w_b [q_b != x_b] exactly.  s D(x) <= r, each term being at most that of r;
/// this holds for any s, however heavy the weights that 127 cuts off.  d(x) is a sum of terms that
/// are not negative, each of which goes through at most 8 + 8 words additions that lose at most a
/// share of 2^-24, so r <= d(x) (1 - 2^-24)^-(8 + 8 words) (additions are exact where results are
/// too small for a full float).  Divisions and products in double are off by a few 2^-53.  room =
/// 1 + (8 words + 64) 2^-22 exceeds all of this, so D(x) <= factor d(x) <= factor d as computed,
/// and D(x) is a whole number.
/// Without weights, m_b = 1 and factor = 1: D(x) is the distance itself.
struct QuantisedWeights {
  std::vector<std::int8_t> magnitudes;  // m_b, padded with zeros to whole words
  double factor = 1.0;
};

/// `near`: the distance that matters, if known, else infinity.  Weights above it are cut off, which
/// leaves more of the range to the others.
QuantisedWeights quantise_weights(std::span<const float> bit_weights, float near);
QuantisedWeights quantise_plain(Index bits);

/// The largest D(x) that a row from `first_row` on may have if its key is at most `bound`: a row
/// as far as the bound must also come before its row, or be it.  -1: none can be.
std::int32_t limit_of(Key bound, Index first_row, double factor, std::int32_t largest);

/// Queries as a device takes them, one array per property.
struct QueryBatch {
  Index queries = 0;
  Index words = 0;  // per code
  std::vector<std::uint64_t> codes;
  std::vector<float> weights;  // 64 words values per query, or once for all; empty: plain
  bool own_weights = false;    // per query
  std::vector<std::int8_t> coefficients;  // a_b, 64 words per query
  std::vector<std::int32_t> offsets;
  std::vector<std::int32_t> largest;  // D of a row that differs in every bit
  std::vector<double> factors;
  std::vector<Key> bounds;                // only rows with keys up to it are wanted
  std::vector<std::vector<Key>> nearest;  // already found, ascending

  /// Appends a query that has these weights.
  void add(CodeView code, const QuantisedWeights& quantised);
};

}  // namespace structhash::search::gpu
