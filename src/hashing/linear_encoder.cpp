#include "structhash/hashing/encoders.hpp"

#include <cmath>
#include <limits>

#include "core/linalg.hpp"
#include "hashing/linear_signs.hpp"
#include "hashing/sections.hpp"
#include "hashing/signs.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

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
  const Vector<float> norms = direction_norms(*this);
  const double largest_norm = norms.maxCoeff();
  for (Index row = 0; row < x.rows(); ++row) {
    const double norm = norm_of(x.row(row).data(), dimension());
    const float scale = uncertainty(norm, largest_norm, dimension());
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

LinearEncoder LinearEncoder::first_bits(Index count) const {
  return {.directions = directions.topRows(count), .offsets = offsets.head(count)};
}

}  // namespace structhash
