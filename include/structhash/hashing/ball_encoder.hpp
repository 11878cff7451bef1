#pragma once

#include <string_view>

#include "structhash/core/container.hpp"
#include "structhash/core/types.hpp"

namespace structhash {

/// Balls (docs/methods.md C.5): bit b of x is [ ||x - centres.row(b)||^2 < squared_radii(b) ].
struct BallEncoder {
  static constexpr std::string_view kName = "ball";

  Matrix<float> centres;        // bits x dimension
  Vector<float> squared_radii;  // bits; at least 0

  Index bits() const { return centres.rows(); }
  Index dimension() const { return centres.cols(); }
  void check() const;
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static BallEncoder load(const Container& file);

  bool operator==(const BallEncoder& other) const;
};

}  // namespace structhash
