#pragma once

#include <cstdint>
#include <vector>

#include "hashing/exact_kernel.hpp"
#include "hashing/linear_signs.hpp"
#include "structhash/hashing/encoders.hpp"

namespace structhash {

/// A kernel encoder as the kernels read it: anchors and directions in panels of 64.
/// Made once for many rows; keeps a reference to the encoder.
class PackedKernel {
 public:
  explicit PackedKernel(const KernelEncoder& encoder);
  PackedKernel(const PackedKernel&) = delete;
  PackedKernel& operator=(const PackedKernel&) = delete;

  /// Codes of the rows of x, on one thread: distances, exponentials, projection, sign and packing,
  /// six rows at a time.  Values so close to zero that rounding could have turned their sign are
  /// computed again in double, about one in two thousand.
  void encode(const MatrixView& x, std::uint64_t* words) const;

 private:
  void respond(const MatrixView& x, Index first, Index rows, float* responses, float* scales) const;
  void settle(const MatrixView& x, Index row, const std::uint64_t* uncertain,
              std::uint64_t* words) const;

  const KernelEncoder& encoder_;
  LinearEncoder outer_;  // of the responses
  PackedDirections directions_;
  ExactKernel exact_;
  std::vector<float> anchors_;        // panels x dimension x 64
  std::vector<float> squared_norms_;  // panels x 64
};

}  // namespace structhash
