#include "structhash/hashing/linear_encoder.hpp"

#include <cmath>
#include <limits>

#include "hashing/sections.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/linalg.hpp"

namespace structhash {
namespace {

constexpr float kLargestFloat = std::numeric_limits<float>::max();

/// The value of one bit in double.  A product of two floats is exact in double, so the result is
/// the same with and without fused multiply-add, on every processor.
double exact_value(const LinearEncoder& encoder, const MatrixView& x, Index row, Index bit) {
  double sum = encoder.offsets(bit);
  for (Index column = 0; column < x.cols(); ++column) {
    sum +=
        static_cast<double>(encoder.directions(bit, column)) * static_cast<double>(x(row, column));
  }
  return sum;
}

float with_same_sign(double value) {
  const auto rounded = static_cast<float>(value);
  return value > 0.0 && rounded == 0.0F ? std::numeric_limits<float>::denorm_min() : rounded;
}

/// Norm of a row; in double only where the squares could leave the range of a float.
double row_norm(const MatrixView& x, Index row) {
  const float squared = x.row(row).squaredNorm();
  return squared > 1e-20F && squared < kLargestFloat / 2 ? std::sqrt(static_cast<double>(squared))
                                                         : x.row(row).cast<double>().norm();
}

/// Bound on |computed - exact| of a float dot product of n terms in any order of summation:
///   n u / (1 - n u) * |x| |v|,   u = 2^-24   (Higham, Accuracy and Stability, section 3.1)
/// here without |v|, and doubled for the rounding of the norms.  Infinite where sums may overflow.
float uncertainty(double norm, double largest_direction_norm, Index n) {
  const double rounding = real(n) * 0x1.0p-24;
  if (rounding > 0.25 || !(norm * largest_direction_norm < kLargestFloat / 4)) {
    return std::numeric_limits<float>::infinity();
  }
  return static_cast<float>(2.0 * rounding / (1.0 - rounding) * norm) +
         std::numeric_limits<float>::min();
}

}  // namespace

void LinearEncoder::check() const {
  require(bits() >= 1 && dimension() >= 1, "a linear encoder needs directions");
  require(offsets.size() == bits(), "a linear encoder needs one offset per direction");
  require(directions.allFinite() && offsets.allFinite(),
          "a linear encoder holds a number that is not finite");
}

/// One float product for all values; those so close to zero that rounding could have turned their
/// sign are computed again in double.  Why: a BLAS sums in an order that depends on the size of the
/// block and the processor, and a code must depend on neither.
/// Cost: the product; about one value in a thousand is computed twice.
Matrix<float> LinearEncoder::values(const MatrixView& x) const {
  Matrix<float> result = product_abt(x, directions, /*threads=*/1);
  result.rowwise() += offsets.transpose();
  const Vector<double> norms = directions.cast<double>().rowwise().norm();
  const Vector<float> direction_norms = norms.cast<float>();
  const double largest_norm = norms.maxCoeff();
  for (Index row = 0; row < x.rows(); ++row) {
    const float scale = uncertainty(row_norm(x, row), largest_norm, dimension());
    for (Index bit = 0; bit < bits(); ++bit) {
      float& value = result(row, bit);
      if (!(std::abs(value) > scale * direction_norms(bit))) {  // true for NaN too
        value = with_same_sign(exact_value(*this, x, row, bit));
      }
    }
  }
  return result;
}

void LinearEncoder::save(ContainerWriter& file) const {
  add_matrix(file, "directions", directions);
  add_vector(file, "offsets", offsets);
}

LinearEncoder LinearEncoder::load(const Container& file) {
  return {.directions = read_matrix(file, "directions"), .offsets = read_vector(file, "offsets")};
}

bool LinearEncoder::operator==(const LinearEncoder& other) const {
  return same(directions, other.directions) && same(offsets, other.offsets);
}

}  // namespace structhash
