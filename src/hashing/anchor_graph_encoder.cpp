#include <algorithm>
#include <cmath>
#include <limits>

#include "hashing/nearest_anchors.hpp"
#include "hashing/sections.hpp"
#include "hashing/signs.hpp"
#include "structhash/core/error.hpp"
#include "structhash/hashing/encoders.hpp"

namespace structhash {
void AnchorGraphEncoder::check() const {
  require(bits() >= 1 && dimension() >= 1 && anchors.rows() >= 1,
          "an anchor graph encoder needs anchors and bits");
  require(neighbours >= 1 && neighbours <= anchors.rows(),
          "an anchor graph encoder needs at least as many anchors as neighbours");
  require(coefficients.cols() == anchors.rows() && low.size() == columns.size() &&
              high.size() == columns.size(),
          "an anchor graph encoder needs one coefficient per anchor and two thresholds per bit");
  require(std::ranges::all_of(columns,
                              [&](std::int32_t c) { return c >= 0 && c < coefficients.rows(); }),
          "an anchor graph encoder refers to a function that does not exist");
  const auto finite = [](float value) { return std::isfinite(value); };
  require(anchors.allFinite() && coefficients.allFinite() && std::ranges::all_of(low, finite) &&
              std::ranges::all_of(high, finite) && std::isfinite(gamma) && gamma > 0.0F,
          "an anchor graph encoder holds a number that is not finite, or a width that is not "
          "positive");
}

Matrix<float> AnchorGraphEncoder::values(const MatrixView& x) const {
  constexpr double kMax = std::numeric_limits<float>::max();
  const NearestAnchors near = nearest_anchors(anchors, neighbours, x);
  const std::vector<double> z = anchor_weights(near, neighbours, static_cast<double>(gamma));
  const auto step = static_cast<std::size_t>(neighbours);
  const Matrix<double> by_anchor = coefficients.transpose().cast<double>();
  Vector<double> y(coefficients.rows());
  Matrix<float> result(x.rows(), bits());
  for (Index row = 0; row < x.rows(); ++row) {
    y.setZero();
    const std::size_t begin = static_cast<std::size_t>(row) * step;
    for (std::size_t i = begin; i < begin + step; ++i) {
      y += z[i] * by_anchor.row(near.anchors[i]).transpose();
    }
    for (Index bit = 0; bit < bits(); ++bit) {
      const auto b = static_cast<std::size_t>(bit);
      const double at = y(columns[b]);
      const double value =
          at > 0.0 ? at - static_cast<double>(high[b]) : static_cast<double>(low[b]) - at;
      result(row, bit) = with_same_sign(std::clamp(value, -kMax, kMax));
    }
  }
  return result;
}

void AnchorGraphEncoder::save(ContainerWriter& file) const {
  add_matrix(file, "anchors", anchors);
  add_count(file, "neighbours", neighbours);
  add_vector(file, "gamma", Vector<float>::Constant(1, gamma));
  add_matrix(file, "coefficients", coefficients);
  file.add("columns", std::span(columns));
  file.add("low", std::span(low));
  file.add("high", std::span(high));
}

AnchorGraphEncoder AnchorGraphEncoder::load(const Container& file) {
  const Vector<float> width = read_vector(file, "gamma");
  if (width.size() != 1) {
    file.fail_corrupt("the width of the anchor graph is not one number");
  }
  return {.anchors = read_matrix(file, "anchors"),
          .neighbours = read_count(file, "neighbours"),
          .gamma = width(0),
          .coefficients = read_matrix(file, "coefficients"),
          .columns = read_array<std::int32_t>(file, "columns"),
          .low = read_array<float>(file, "low"),
          .high = read_array<float>(file, "high")};
}

bool AnchorGraphEncoder::operator==(const AnchorGraphEncoder& other) const {
  return same(anchors, other.anchors) && neighbours == other.neighbours && gamma == other.gamma &&
         same(coefficients, other.coefficients) && columns == other.columns && low == other.low &&
         high == other.high;
}

AnchorGraphEncoder AnchorGraphEncoder::first_bits(Index count) const {
  AnchorGraphEncoder first = *this;
  first.columns.resize(static_cast<std::size_t>(count));
  first.low.resize(static_cast<std::size_t>(count));
  first.high.resize(static_cast<std::size_t>(count));
  return first;
}

}  // namespace structhash
