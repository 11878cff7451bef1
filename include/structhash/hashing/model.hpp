#pragma once

#include <string>
#include <vector>

#include "structhash/core/parallel.hpp"
#include "structhash/hashing/encoder.hpp"

/// What learning returns: a plain value.  Encoding, searching, saving and Python know only this.
namespace structhash {

struct HashModel {
  std::string method{};           // name in the method table
  std::string parameters = "{}";  // JSON object: what the model was trained with
  Encoder encoder{};
  std::vector<float> bit_weights{};  // empty: plain Hamming; otherwise one weight >= 0 per bit

  Index bits() const { return encoder_bits(encoder); }
  Index dimension() const { return encoder_dimension(encoder); }
  bool operator==(const HashModel&) const = default;
};

/// Throws unless every number is finite, weights are >= 0 and sizes agree.
void check(const HashModel& model);

/// Throws Errc::bad_data naming the first row and column (1-based) that is not a finite number;
/// `what` names the matrix in the message.
void require_finite(const MatrixView& x, const std::string& what, Threads threads);

/// Checks the features (dimension, finite values) and encodes them.  The code of a row depends on
/// the row alone: not on the batch, its order, the number of threads or the processor.
CodeMatrix encode(const HashModel& model, const MatrixView& x, Threads threads);

}  // namespace structhash
