#include "structhash/hashing/encoders.hpp"

#include <algorithm>
#include <cmath>

#include "hashing/ordered_products.hpp"
#include "hashing/sections.hpp"
#include "hashing/signs.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// The curve through `knots`, equally spaced on [0, 1], at `position` in [0, 1].
double interpolate(std::span<const float> knots, double position) {
  const double u = position * static_cast<double>(knots.size() - 1);
  const std::size_t left = std::min(static_cast<std::size_t>(u), knots.size() - 2);
  const auto from = static_cast<double>(knots[left]);
  const auto to = static_cast<double>(knots[left + 1]);
  return from + (u - static_cast<double>(left)) * (to - from);
}

}  // namespace

void CurveEncoder::check() const {
  require(bits() >= 1 && directions.rows() >= 1 && dimension() >= 1,
          "a curve encoder needs directions and bits");
  const Index count = directions.rows();
  require(offsets.size() == count && low.size() == count && high.size() == count,
          "a curve encoder needs one offset and one range per direction");
  require(std::ranges::all_of(components, [&](std::int32_t c) { return c >= 0 && c < count; }),
          "a curve encoder refers to a direction that does not exist");
  require(first_knot.size() == components.size() + 1 && first_knot.front() == 0 &&
              first_knot.back() == std::ssize(knots) &&
              std::ranges::is_sorted(first_knot) &&  // and so differences cannot overflow
              std::ranges::adjacent_find(first_knot, [](auto a, auto b) { return b - a < 2; }) ==
                  first_knot.end(),
          "a curve encoder needs at least two knots per bit");
  require(directions.allFinite() && offsets.allFinite() && low.allFinite() && high.allFinite() &&
              std::ranges::all_of(knots, [](float value) { return std::isfinite(value); }),
          "a curve encoder holds a number that is not finite");
  require((low.array() < high.array()).all(), "a range of a curve encoder is empty");
}

/// In double throughout: cost, components x columns that are not zero, and little per bit.
Matrix<float> CurveEncoder::values(const MatrixView& x) const {
  const Matrix<double> projected = ordered_products(x, directions, offsets.cast<double>());
  const Vector<double> first = low.cast<double>();
  const Vector<double> width = high.cast<double>() - first;
  Matrix<float> result(x.rows(), bits());
  for (Index row = 0; row < x.rows(); ++row) {
    for (Index bit = 0; bit < bits(); ++bit) {
      const auto b = static_cast<std::size_t>(bit);
      const Index c = components[b];
      const double position = std::clamp((projected(row, c) - first(c)) / width(c), 0.0, 1.0);
      const std::span<const float> curve(
          knots.data() + first_knot[b],
          static_cast<std::size_t>(first_knot[b + 1] - first_knot[b]));
      result(row, bit) = with_same_sign(interpolate(curve, position));
    }
  }
  return result;
}

void CurveEncoder::save(ContainerWriter& file) const {
  add_matrix(file, "directions", directions);
  add_vector(file, "offsets", offsets);
  add_vector(file, "low", low);
  add_vector(file, "high", high);
  file.add("components", std::span(components));
  file.add("first-knot", std::span(first_knot));
  file.add("knots", std::span(knots));
}

CurveEncoder CurveEncoder::load(const Container& file) {
  return {.directions = read_matrix(file, "directions"),
          .offsets = read_vector(file, "offsets"),
          .low = read_vector(file, "low"),
          .high = read_vector(file, "high"),
          .components = read_array<std::int32_t>(file, "components"),
          .first_knot = read_array<std::int64_t>(file, "first-knot"),
          .knots = read_array<float>(file, "knots")};
}

bool CurveEncoder::operator==(const CurveEncoder& other) const {
  return same(directions, other.directions) && same(offsets, other.offsets) &&
         same(low, other.low) && same(high, other.high) && components == other.components &&
         first_knot == other.first_knot && knots == other.knots;
}

CurveEncoder CurveEncoder::first_bits(Index count) const {
  CurveEncoder first = *this;
  first.components.resize(static_cast<std::size_t>(count));
  first.first_knot.resize(static_cast<std::size_t>(count) + 1);
  first.knots.resize(static_cast<std::size_t>(first.first_knot.back()));
  return first;
}

}  // namespace structhash
