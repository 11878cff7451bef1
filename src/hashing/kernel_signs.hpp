#pragma once

#include <array>
#include <cstdint>
#include <span>
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
  /// summed again in double, and where the responses themselves are not exact enough, from double
  /// responses.
  void encode(const MatrixView& x, std::uint64_t* words) const;

  /// Values of the hash functions, from float responses summed in double: those of a row do not
  /// depend on the others.
  Matrix<float> values(const MatrixView& x) const;

 private:
  /// Responses of up to six rows, their relative error, and how far a float sum over them may be
  /// off per unit of a direction's norm.
  struct Block {
    std::vector<float> responses;
    std::array<double, 6> errors{};
    std::array<float, 6> scales{};
  };
  void respond(const MatrixView& x, Index first, Index rows, Block& block) const;
  struct Doubt {
    Index row;
    Index bit;
  };
  double summed_again(const float* responses, double error, Index bit) const;
  void settle(std::span<const Doubt> doubts, const MatrixView& x, std::uint64_t* words) const;

  const KernelEncoder& encoder_;
  LinearEncoder outer_;       // of the responses
  Matrix<float> magnitudes_;  // of its directions
  Vector<double> magnitude_sums_;
  PackedDirections directions_;
  ExactKernel exact_;
  std::vector<float> anchors_;        // panels x dimension x 64
  std::vector<float> squared_norms_;  // panels x 64
};

}  // namespace structhash
