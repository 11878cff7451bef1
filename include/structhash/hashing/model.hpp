#pragma once

#include <string>
#include <vector>

#include "structhash/hashing/encoder.hpp"

/// What learning returns: a plain value.  Encoding, searching, saving and Python know only this.
namespace structhash {

struct HashModel {
  std::string method;      // name in the method table
  std::string parameters;  // JSON object: what the model was trained with
  Encoder encoder;
  std::vector<float> bit_weights;  // empty: plain Hamming; otherwise one weight >= 0 per bit

  Index bits() const { return encoder_bits(encoder); }
  Index dimension() const { return encoder_dimension(encoder); }
  bool operator==(const HashModel&) const = default;
};

/// Throws unless every number is finite, weights are >= 0 and sizes agree.
void check(const HashModel& model);

/// Checks the features (dimension, finite values) and encodes them.
CodeMatrix encode(const HashModel& model, const MatrixView& x, int threads);

}  // namespace structhash
