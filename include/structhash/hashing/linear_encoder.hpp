#pragma once

#include <string_view>

#include "structhash/core/container.hpp"
#include "structhash/core/types.hpp"

namespace structhash {

/// Eq. (17): bit b of x is [ directions.row(b) . x + offsets(b) > 0 ].
struct LinearEncoder {
  static constexpr std::string_view kName = "linear";

  Matrix<float> directions;  // bits x dimension
  Vector<float> offsets;     // bits

  Index bits() const { return directions.rows(); }
  Index dimension() const { return directions.cols(); }
  void check() const;
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static LinearEncoder load(const Container& file);

  bool operator==(const LinearEncoder& other) const;
};

}  // namespace structhash
