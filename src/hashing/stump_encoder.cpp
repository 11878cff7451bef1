#include "structhash/hashing/encoders.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hashing/sections.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

void StumpEncoder::check() const {
  require(bits() >= 1 && inputs >= 1, "a stump encoder needs stumps");
  require(thresholds.size() == columns.size(), "a stump encoder needs one threshold per stump");
  require(std::ranges::all_of(columns, [&](std::int32_t c) { return c >= 0 && c < inputs; }),
          "a stump encoder refers to a feature that does not exist");
  require(std::ranges::all_of(thresholds, [](float t) { return std::isfinite(t); }),
          "a stump encoder holds a number that is not finite");
}

Matrix<float> StumpEncoder::values(const MatrixView& x) const {
  constexpr float kMax = std::numeric_limits<float>::max();
  Matrix<float> result(x.rows(), bits());
  for (Index row = 0; row < x.rows(); ++row) {
    for (Index bit = 0; bit < bits(); ++bit) {
      const auto b = static_cast<std::size_t>(bit);
      result(row, bit) = std::clamp(x(row, columns[b]) - thresholds[b], -kMax, kMax);
    }
  }
  return result;
}

void StumpEncoder::save(ContainerWriter& file) const {
  add_count(file, "inputs", inputs);
  file.add("columns", std::span(columns));
  file.add("thresholds", std::span(thresholds));
}

StumpEncoder StumpEncoder::load(const Container& file) {
  return {.inputs = read_count(file, "inputs"),
          .columns = read_array<std::int32_t>(file, "columns"),
          .thresholds = read_array<float>(file, "thresholds")};
}

StumpEncoder StumpEncoder::first_bits(Index count) const {
  return {.inputs = inputs,
          .columns = {columns.begin(), columns.begin() + count},
          .thresholds = {thresholds.begin(), thresholds.begin() + count}};
}

}  // namespace structhash
