#pragma once

#include <cstdint>
#include <vector>

#include "structhash/hashing/encoders.hpp"

/// Signs of linear functions that do not depend on the order of summation (docs/format.md).
namespace structhash {

/// The value of one bit in double, offset first, then column after column: the definition.
double exact_value(const LinearEncoder& encoder, const MatrixView& x, Index row, Index bit);

/// Euclidean norm, in double only where the squares could leave the range of a float.
double norm_of(const float* values, Index size);

/// Norm of every direction.
Vector<float> direction_norms(const LinearEncoder& encoder);

/// Bound on |computed - exact| of a float dot product of n terms in any order of summation:
///   n u / (1 - n u) * |x| |v|,   u = 2^-24   (Higham, Accuracy and Stability, section 3.1)
/// here without |v|, and widened for the rounding of the norms.  Infinite where sums may overflow.
float uncertainty(double norm, double largest_direction_norm, Index n);

/// The directions of an encoder as the kernel reads them: panels of 64 bits, feature by feature.
/// Made once for many rows; keeps a reference to the encoder.
class PackedDirections {
 public:
  explicit PackedDirections(const LinearEncoder& encoder);

  /// Codes of the rows of x, rows x ceil(bits / 64) words, on one thread: projection, offset, sign
  /// and packing in registers.  Values so close to zero that rounding could have turned their sign
  /// are computed again in double, about one in a thousand.
  void encode(const MatrixView& x, std::uint64_t* words) const;

  /// The words of up to 6 rows as float sums have them, and which bits are uncertain: those with a
  /// sum within scales[r] times the norm of their direction of zero.
  void signs(const float* x, Index stride, Index rows, const float* scales, std::uint64_t* positive,
             std::uint64_t* uncertain) const;
  Index words() const { return std::ssize(offsets_) / 64; }

 private:
  std::uint64_t settled(const MatrixView& x, Index row, double norm, Index first_bit,
                        std::uint64_t positive, std::uint64_t uncertain) const;

  const LinearEncoder& encoder_;
  Vector<float> norms_;
  std::vector<float> directions_;  // panels x dimension x 64
  std::vector<float> offsets_;     // panels x 64; zeros behind the last bit
  std::vector<float> limits_;      // likewise; -1 behind the last bit: nothing there is uncertain
};

}  // namespace structhash
