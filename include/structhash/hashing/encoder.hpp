#pragma once

#include <variant>
#include <vector>

#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/types.hpp"

/// Encoders turn feature vectors into codes.  A closed set (docs/adr/0007): saving, loading and
/// encoding are one std::visit each.  A bit is 1 exactly when its value is > 0.
namespace structhash {

/// Eq. (17): bit b of x is [ directions.row(b) . x + offsets(b) > 0 ].
struct LinearEncoder {
  Matrix<float> directions;  // bits x dimension
  Vector<float> offsets;     // bits

  bool operator==(const LinearEncoder&) const = default;
};

using Encoder = std::variant<LinearEncoder>;

Index encoder_bits(const Encoder& encoder);
Index encoder_dimension(const Encoder& encoder);

/// The real values whose signs are the bits: rows x bits.
Matrix<float> decision_values(const Encoder& encoder, const MatrixView& x, int threads);

CodeMatrix encode(const Encoder& encoder, const MatrixView& x, int threads);

}  // namespace structhash
