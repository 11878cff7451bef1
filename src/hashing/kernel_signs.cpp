#include "hashing/kernel_signs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "hashing/kernel_bounds.hpp"
#include "hashing/signs.hpp"
#include "hashing/simd/response_panel.hpp"
#include "hashing/simd/sign_panel.hpp"

namespace structhash {
namespace {

constexpr Index kPanel = 64;
constexpr auto kKernelPanelRows = static_cast<Index>(kPanelRows);
constexpr double kVanished = 4.0 * std::numeric_limits<float>::min();  // responses below float
constexpr double kMaxResponseError = 0.01;
constexpr std::ptrdiff_t kMaxDoubts = 512;  // settled at once

void set_bit(std::uint64_t* words, Index bit, bool value) {
  const std::uint64_t mask = std::uint64_t{1} << static_cast<unsigned>(bit % 64);
  words[bit / 64] = value ? words[bit / 64] | mask : words[bit / 64] & ~mask;
}

}  // namespace

PackedKernel::PackedKernel(const KernelEncoder& encoder)
    : encoder_(encoder),
      outer_{encoder.directions, encoder.offsets},
      magnitudes_(encoder.directions.cwiseAbs()),
      magnitude_sums_(magnitudes_.cast<double>().rowwise().sum()),
      directions_(outer_),
      exact_(encoder) {
  const Index depth = encoder.dimension();
  const Index count = encoder.anchors.rows();
  const Index panels = (count + kPanel - 1) / kPanel;
  anchors_.assign(static_cast<std::size_t>(panels * depth * kPanel), 0.0F);
  squared_norms_.assign(static_cast<std::size_t>(panels * kPanel), 0.0F);
  for (Index j = 0; j < count; ++j) {
    squared_norms_[static_cast<std::size_t>(j)] =
        static_cast<float>(squared_norm(&encoder.anchors(j, 0), depth));
    float* panel = anchors_.data() + j / kPanel * depth * kPanel + j % kPanel;
    for (Index column = 0; column < depth; ++column) {
      panel[column * kPanel] = encoder.anchors(j, column);
    }
  }
}

///   |error of a value| <= (error of a response + k u) sum_j |v_j| r_j <= (...) ||v|| ||r||
///
/// with the responses that vanish below the smallest float besides.
void PackedKernel::respond(const MatrixView& x, Index first, Index rows, Block& block) const {
  const Index depth = encoder_.dimension();
  const Index count = encoder_.anchors.rows();
  const auto stride = std::ssize(squared_norms_);
  const float* rows_of_x = x.data() + first * x.outerStride();
  std::array<double, kPanelRows> norms{};
  std::array<float, kPanelRows> squares{};
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
    norms[r] = squared_norm(rows_of_x + static_cast<Index>(r) * x.outerStride(), depth);
    squares[r] = static_cast<float>(norms[r]);
  }
  for (Index panel = 0; panel < stride / kPanel; ++panel) {
    const AnchorPanel view{
        anchors_.data() + panel * depth * kPanel, squared_norms_.data() + panel * kPanel,
        static_cast<std::size_t>(std::min(kPanel, count - panel * kPanel)), encoder_.gamma};
    response_panel({.rows = {rows_of_x, static_cast<std::size_t>(x.outerStride()),
                             static_cast<std::size_t>(rows), static_cast<std::size_t>(depth)},
                    .squared_norms = squares.data(),
                    .responses = block.responses.data() + panel * kPanel,
                    .response_stride = static_cast<std::size_t>(stride)},
                   view);
  }
  for (Index r = 0; r < rows; ++r) {
    const double reach = std::sqrt(norms[static_cast<std::size_t>(r)]) + exact_.largest_anchor();
    const bool in_range = reach * reach < std::numeric_limits<float>::max() / 4;
    const double error = in_range ? response_error(kFloatUnit, roundings(depth, kResponseSlice),
                                                   encoder_.gamma, reach)
                                  : std::numeric_limits<double>::infinity();
    const double of_sum = error + 1.01 * to_double(count) * kFloatUnit;
    const double norm = norm_of(block.responses.data() + r * stride, count);
    block.errors[static_cast<std::size_t>(r)] = error;
    block.scales[static_cast<std::size_t>(r)] =
        std::isfinite(error)
            ? static_cast<float>(1.02 * of_sum * norm + kVanished * std::sqrt(to_double(count)))
            : std::numeric_limits<float>::infinity();
  }
}

void PackedKernel::encode(const MatrixView& x, std::uint64_t* words) const {
  const Index per_row = directions_.words();
  const auto stride = std::ssize(squared_norms_);
  Block block{.responses = std::vector<float>(squared_norms_.size() * kPanelRows)};
  std::vector<std::uint64_t> uncertain(static_cast<std::size_t>(kKernelPanelRows * per_row));
  std::vector<Doubt> doubts;
  for (Index first = 0; first < x.rows(); first += kKernelPanelRows) {
    const Index rows = std::min(kKernelPanelRows, x.rows() - first);
    respond(x, first, rows, block);
    directions_.signs(block.responses.data(), stride, rows, block.scales.data(),
                      words + first * per_row, uncertain.data());
    for (Index at = 0; at < rows * per_row; ++at) {
      const Index r = at / per_row;
      for (std::uint64_t unsure = uncertain[static_cast<std::size_t>(at)]; unsure != 0;
           unsure &= unsure - 1) {
        const Index bit = 64 * (at % per_row) + std::countr_zero(unsure);
        const double value = summed_again(block.responses.data() + r * stride,
                                          block.errors[static_cast<std::size_t>(r)], bit);
        if (value == 0.0) {
          doubts.push_back({first + r, bit});
        }
        set_bit(words + (first + r) * per_row, bit, value > 0.0);
      }
    }
    if (std::ssize(doubts) >= kMaxDoubts || first + rows == x.rows()) {
      settle(doubts, x, words);
      doubts.clear();
    }
  }
}

Matrix<float> PackedKernel::values(const MatrixView& x) const {
  const auto stride = std::ssize(squared_norms_);
  const auto count = static_cast<std::size_t>(encoder_.anchors.rows());
  Block block{.responses = std::vector<float>(squared_norms_.size() * kPanelRows)};
  Matrix<float> values(x.rows(), encoder_.bits());
  for (Index first = 0; first < x.rows(); first += kKernelPanelRows) {
    const Index rows = std::min(kKernelPanelRows, x.rows() - first);
    respond(x, first, rows, block);
    for (Index r = 0; r < rows; ++r) {
      if (!std::isfinite(block.errors[static_cast<std::size_t>(r)])) {  // out of range of a float
        values.row(first + r) = encoder_.values(x.middleRows(first + r, 1));
        continue;
      }
      for (Index bit = 0; bit < encoder_.bits(); ++bit) {
        values(first + r, bit) =
            with_same_sign(wide_dot(encoder_.offsets(bit), block.responses.data() + r * stride,
                                    &encoder_.directions(bit, 0), count));
      }
    }
  }
  return values;
}

/// The float responses summed in double; 0 where their errors could turn the sign:
///
///   |error of the value| <= (error of a response) sum_j |v_j| r_j
double PackedKernel::summed_again(const float* responses, double error, Index bit) const {
  const auto count = static_cast<std::size_t>(encoder_.anchors.rows());
  const double offset = encoder_.offsets(bit);
  const double value = wide_dot(offset, responses, &encoder_.directions(bit, 0), count);
  const double size = wide_dot(std::abs(offset), responses, &magnitudes_(bit, 0), count);
  const double rounding = 2.0 * static_cast<double>(count + 1) * kDoubleUnit;
  const double vanished = kVanished * magnitude_sums_(bit);
  const bool known =
      error < kMaxResponseError && std::abs(value) > (1.02 * error + rounding) * size + vanished;
  return known ? value : 0.0;
}

void PackedKernel::settle(std::span<const Doubt> doubts, const MatrixView& x,
                          std::uint64_t* words) const {
  std::vector<Index> rows;
  for (const Doubt& doubt : doubts) {
    if (rows.empty() || rows.back() != doubt.row) {
      rows.push_back(doubt.row);
    }
  }
  const Matrix<double> responses = exact_.responses(x, rows);
  Index at = -1;  // in rows
  for (const Doubt& doubt : doubts) {
    at += at < 0 || rows[static_cast<std::size_t>(at)] != doubt.row ? 1 : 0;
    const std::span<const double> of_row(&responses(at, 0),
                                         static_cast<std::size_t>(responses.cols()));
    set_bit(words + doubt.row * directions_.words(), doubt.bit,
            exact_.value(x, doubt.row, doubt.bit, of_row) > 0.0);
  }
}

}  // namespace structhash
