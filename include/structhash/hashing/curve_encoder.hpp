#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "structhash/core/container.hpp"
#include "structhash/core/types.hpp"

namespace structhash {

/// Piecewise linear functions of projections (docs/methods.md C.2, C.3).  With bit b on the
/// projection c = components[b] and its K + 1 knots v_0 .. v_K, equally spaced on [low_c, high_c],
///
///   t = directions.row(c) . x + offsets(c),   cut to [low_c, high_c]
///   u = K (t - low_c) / (high_c - low_c),     j = floor(u), at most K - 1
///   bit b of x is [ v_j + (u - j)(v_(j+1) - v_j) > 0 ]
struct CurveEncoder {
  static constexpr std::string_view kName = "curve";

  Matrix<float> directions;              // components x dimension
  Vector<float> offsets;                 // components
  Vector<float> low;                     // components
  Vector<float> high;                    // components; above low
  std::vector<std::int32_t> components;  // bits
  std::vector<std::int64_t> first_knot;  // bits + 1: knots first_knot[b] .. first_knot[b + 1] - 1
  std::vector<float> knots;              // at least two per bit

  Index bits() const { return static_cast<Index>(components.size()); }
  Index dimension() const { return directions.cols(); }
  void check() const;
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static CurveEncoder load(const Container& file);

  bool operator==(const CurveEncoder& other) const;
};

}  // namespace structhash
