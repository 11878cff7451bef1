#include "hashing/linear_signs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "hashing/simd/sign_panel.hpp"

namespace structhash {
namespace {

constexpr float kMaxFloat = std::numeric_limits<float>::max();
constexpr auto kBits = static_cast<Index>(kPanelBits);
constexpr auto kRows = static_cast<Index>(kPanelRows);

const float* row_of(const MatrixView& x, Index row) {
  return x.data() + row * x.outerStride();
}

}  // namespace

/// A product of two floats is exact in double, so the result is the same with and without fused
/// multiply-add, on every processor.
double exact_value(const LinearEncoder& encoder, const MatrixView& x, Index row, Index bit) {
  double sum = encoder.offsets(bit);
  for (Index column = 0; column < x.cols(); ++column) {
    sum +=
        static_cast<double>(encoder.directions(bit, column)) * static_cast<double>(x(row, column));
  }
  return sum;
}

double norm_of(const float* values, Index size) {
  const float squared = sum_of_squares(values, static_cast<std::size_t>(size));
  return squared > 1e-20F && squared < kMaxFloat / 2
             ? std::sqrt(static_cast<double>(squared))
             : Eigen::Map<const Vector<float>>(values, size).cast<double>().norm();
}

Vector<float> direction_norms(const LinearEncoder& encoder) {
  Vector<float> norms(encoder.bits());
  for (Index bit = 0; bit < encoder.bits(); ++bit) {
    norms(bit) = static_cast<float>(norm_of(&encoder.directions(bit, 0), encoder.dimension()));
  }
  return norms;
}

float uncertainty(double norm, double largest_direction_norm, Index n) {
  const double rounding = to_double(n) * 0x1.0p-24;
  if (rounding > 0.25 || !(norm * largest_direction_norm < kMaxFloat / 4)) {
    return std::numeric_limits<float>::infinity();
  }
  return static_cast<float>((1.01 + 4.0 * rounding) * rounding / (1.0 - rounding) * norm) +
         std::numeric_limits<float>::min();
}

PackedDirections::PackedDirections(const LinearEncoder& encoder)
    : encoder_(encoder), norms_(direction_norms(encoder)) {
  const Index depth = encoder.dimension();
  const Index panels = (encoder.bits() + kBits - 1) / kBits;
  directions_.assign(static_cast<std::size_t>(panels * depth * kBits), 0.0F);
  offsets_.assign(static_cast<std::size_t>(panels * kBits), 0.0F);
  limits_.assign(offsets_.size(), -1.0F);
  for (Index bit = 0; bit < encoder.bits(); ++bit) {
    offsets_[static_cast<std::size_t>(bit)] = encoder.offsets(bit);
    limits_[static_cast<std::size_t>(bit)] = norms_(bit);
    float* panel = directions_.data() + bit / kBits * depth * kBits + bit % kBits;
    for (Index column = 0; column < depth; ++column) {
      panel[column * kBits] = encoder.directions(bit, column);
    }
  }
}

void PackedDirections::signs(const float* x, Index stride, Index rows, const float* scales,
                             std::uint64_t* positive, std::uint64_t* uncertain) const {
  const Index depth = encoder_.dimension();
  std::array<std::uint64_t, kPanelRows> of_panel{};
  std::array<std::uint64_t, kPanelRows> unsure{};
  for (Index panel = 0; panel < words(); ++panel) {
    const Index bits = std::min(kBits, encoder_.bits() - panel * kBits);
    const SignPanel view{offsets_.data() + panel * kBits,
                         directions_.data() + panel * depth * kBits, limits_.data() + panel * kBits,
                         static_cast<std::size_t>(bits)};
    sign_panel({x, static_cast<std::size_t>(stride), static_cast<std::size_t>(rows),
                static_cast<std::size_t>(depth)},
               view, scales, {of_panel.data(), unsure.data()});
    for (Index r = 0; r < rows; ++r) {
      positive[r * words() + panel] = of_panel[static_cast<std::size_t>(r)];
      uncertain[r * words() + panel] = unsure[static_cast<std::size_t>(r)];
    }
  }
}

void PackedDirections::encode(const MatrixView& x, std::uint64_t* words) const {
  const Index depth = encoder_.dimension();
  const Index per_row = this->words();
  const double largest = norms_.maxCoeff();
  std::vector<std::uint64_t> uncertain(static_cast<std::size_t>(kRows * per_row));
  for (Index first = 0; first < x.rows(); first += kRows) {
    const Index rows = std::min(kRows, x.rows() - first);
    std::array<double, kPanelRows> norms{};
    std::array<float, kPanelRows> scales{};
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
      norms[r] = norm_of(row_of(x, first + static_cast<Index>(r)), depth);
      scales[r] = uncertainty(norms[r], largest, depth);
    }
    std::uint64_t* word = words + first * per_row;
    signs(row_of(x, first), x.outerStride(), rows, scales.data(), word, uncertain.data());
    for (Index at = 0; at < rows * per_row; ++at) {
      const std::uint64_t unsure = uncertain[static_cast<std::size_t>(at)];
      if (unsure != 0) {
        const Index row = at / per_row;
        word[at] = settled(x, first + row, norms[static_cast<std::size_t>(row)],
                           at % per_row * kBits, word[at], unsure);
      }
    }
  }
}

/// In double the sums of uncertain bits are certain but for the rarest, which are summed in the
/// order of the definition.
std::uint64_t PackedDirections::settled(const MatrixView& x, Index row, double norm,
                                        Index first_bit, std::uint64_t positive,
                                        std::uint64_t uncertain) const {
  const Index depth = encoder_.dimension();
  for (; uncertain != 0; uncertain &= uncertain - 1) {
    const int at = std::countr_zero(uncertain);
    const Index bit = first_bit + at;
    const double offset = encoder_.offsets(bit);
    double value = wide_dot(offset, row_of(x, row), &encoder_.directions(bit, 0),
                            static_cast<std::size_t>(depth));
    const double reach = norm * static_cast<double>(norms_(bit)) + std::abs(offset);
    if (!(std::abs(value) > 1.1 * to_double(depth + 2) * 0x1.0p-53 * reach)) {
      value = exact_value(encoder_, x, row, bit);
    }
    const std::uint64_t mask = std::uint64_t{1} << static_cast<unsigned>(at);
    positive = value > 0.0 ? positive | mask : positive & ~mask;
  }
  return positive;
}

}  // namespace structhash
