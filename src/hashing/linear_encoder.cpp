#include "structhash/hashing/linear_encoder.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "hashing/sections.hpp"
#include "hashing/signs.hpp"
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

/// Sixteen sums side by side: one alone would wait for each addition.
float squared_norm(std::span<const float> values) {
  std::array<float, 16> sums{};
  const std::size_t whole = values.size() / sums.size() * sums.size();
  for (std::size_t i = 0; i < whole; i += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane) {
      sums[lane] += values[i + lane] * values[i + lane];
    }
  }
  float total = std::accumulate(sums.begin(), sums.end(), 0.0F);
  for (const float value : values.subspan(whole)) {
    total += value * value;
  }
  return total;
}

/// Euclidean norm, in double only where the squares could leave the range of a float.
double norm_of(const Eigen::Ref<const Eigen::RowVectorXf>& row) {
  const float squared = squared_norm({row.data(), static_cast<std::size_t>(row.size())});
  return squared > 1e-20F && squared < kLargestFloat / 2 ? std::sqrt(static_cast<double>(squared))
                                                         : row.cast<double>().norm();
}

/// Bound on |computed - exact| of a float dot product of n terms in any order of summation:
///   n u / (1 - n u) * |x| |v|,   u = 2^-24   (Higham, Accuracy and Stability, section 3.1)
/// here without |v|, and widened for the rounding of the norms.  Infinite where sums may overflow.
float uncertainty(double norm, double largest_direction_norm, Index n) {
  const double rounding = real(n) * 0x1.0p-24;
  if (rounding > 0.25 || !(norm * largest_direction_norm < kLargestFloat / 4)) {
    return std::numeric_limits<float>::infinity();
  }
  return static_cast<float>((1.01 + 4.0 * rounding) * rounding / (1.0 - rounding) * norm) +
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
/// Cost: the product; about one value in a thousand is computed twice (benchmarks/encode.cpp).
Matrix<float> LinearEncoder::values(const MatrixView& x) const {
  Matrix<float> result = product_abt(x, directions, /*threads=*/1);
  result.rowwise() += offsets.transpose();
  Vector<float> norms(bits());
  for (Index bit = 0; bit < bits(); ++bit) {
    norms(bit) = static_cast<float>(norm_of(directions.row(bit)));
  }
  const double largest_norm = norms.maxCoeff();
  for (Index row = 0; row < x.rows(); ++row) {
    const float scale = uncertainty(norm_of(x.row(row)), largest_norm, dimension());
    const auto uncertain = [&](Index bit) {  // true for NaN too
      return !(std::abs(result(row, bit)) > scale * norms(bit));
    };
    bool any = false;  // without an early exit, so that the compiler can vectorise the common case
    for (Index bit = 0; bit < bits(); ++bit) {
      any |= uncertain(bit);
    }
    for (Index bit = 0; any && bit < bits(); ++bit) {
      if (uncertain(bit)) {
        result(row, bit) = with_same_sign(exact_value(*this, x, row, bit));
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
