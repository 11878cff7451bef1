#include "structhash/hashing/encoders.hpp"

#include <algorithm>
#include <limits>

#include "hashing/ordered_products.hpp"
#include "hashing/sections.hpp"
#include "hashing/signs.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Sum of squares in column order; squares of floats are exact in double.
double squared_norm(const MatrixView& x, Index row) {
  double sum = 0.0;
  for (Index column = 0; column < x.cols(); ++column) {
    const auto value = static_cast<double>(x(row, column));
    sum += value * value;
  }
  return sum;
}

}  // namespace

void BallEncoder::check() const {
  require(bits() >= 1 && dimension() >= 1, "a ball encoder needs centres");
  require(squared_radii.size() == bits(), "a ball encoder needs one radius per centre");
  require(centres.allFinite() && squared_radii.allFinite() && squared_radii.minCoeff() >= 0.0F,
          "a ball encoder holds a number that is not finite, or a negative squared radius");
}

/// r^2 - ||x - c||^2  =  (r^2 - ||c||^2) + 2 c . x - ||x||^2,   in double and in this order.
Matrix<float> BallEncoder::values(const MatrixView& x) const {
  constexpr double kMax = std::numeric_limits<float>::max();
  Vector<double> start(bits());
  for (Index bit = 0; bit < bits(); ++bit) {
    start(bit) = 0.5 * (static_cast<double>(squared_radii(bit)) - squared_norm(centres, bit));
  }
  const Matrix<double> halves = ordered_products(x, centres, start);
  Matrix<float> result(x.rows(), bits());
  for (Index row = 0; row < x.rows(); ++row) {
    const double norm = squared_norm(x, row);
    for (Index bit = 0; bit < bits(); ++bit) {
      const double value = 2.0 * halves(row, bit) - norm;
      result(row, bit) = with_same_sign(std::clamp(value, -kMax, kMax));
    }
  }
  return result;
}

void BallEncoder::save(ContainerWriter& file) const {
  add_matrix(file, "centres", centres);
  add_vector(file, "squared-radii", squared_radii);
}

BallEncoder BallEncoder::load(const Container& file) {
  return {.centres = read_matrix(file, "centres"),
          .squared_radii = read_vector(file, "squared-radii")};
}

bool BallEncoder::operator==(const BallEncoder& other) const {
  return same(centres, other.centres) && same(squared_radii, other.squared_radii);
}

BallEncoder BallEncoder::first_bits(Index count) const {
  return {.centres = centres.topRows(count), .squared_radii = squared_radii.head(count)};
}

}  // namespace structhash
