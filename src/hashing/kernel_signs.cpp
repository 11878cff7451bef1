#include "hashing/kernel_signs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "hashing/kernel_bounds.hpp"
#include "hashing/simd/response_panel.hpp"
#include "hashing/simd/sign_panel.hpp"

namespace structhash {
namespace {

static_assert(kResponseSlice == kSlice, "bounds and kernel must agree");

constexpr Index kPanel = 64;
constexpr auto kKernelPanelRows = static_cast<Index>(kPanelRows);

}  // namespace

PackedKernel::PackedKernel(const KernelEncoder& encoder)
    : encoder_(encoder),
      outer_{encoder.directions, encoder.offsets},
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

/// Responses of some rows, and how far a sum over them may be off per unit of a direction's norm:
///
///   |error of a value| <= (error of a response + k u) sum_j |v_j| r_j <= (...) ||v|| ||r||
///
/// with the responses that vanish below the smallest float besides.
void PackedKernel::respond(const MatrixView& x, Index first, Index rows, float* responses,
                           float* scales) const {
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
                    .responses = responses + panel * kPanel,
                    .response_stride = static_cast<std::size_t>(stride)},
                   view);
  }
  for (Index r = 0; r < rows; ++r) {
    const double reach = std::sqrt(norms[static_cast<std::size_t>(r)]) + exact_.largest_anchor();
    const double error = response_error(kFloatUnit, roundings(depth), encoder_.gamma, reach) +
                         1.01 * to_double(count) * kFloatUnit;
    const double norm = norm_of(responses + r * stride, count);
    const double vanished = 4.0 * std::sqrt(to_double(count)) * std::numeric_limits<float>::min();
    const bool in_range = reach * reach < std::numeric_limits<float>::max() / 4;
    scales[r] = in_range ? static_cast<float>(1.02 * error * norm + vanished)
                         : std::numeric_limits<float>::infinity();
  }
}

void PackedKernel::encode(const MatrixView& x, std::uint64_t* words) const {
  const Index per_row = directions_.words();
  std::vector<float> responses(squared_norms_.size() * kPanelRows);
  std::vector<std::uint64_t> uncertain(static_cast<std::size_t>(kKernelPanelRows * per_row));
  std::array<float, kPanelRows> scales{};
  for (Index first = 0; first < x.rows(); first += kKernelPanelRows) {
    const Index rows = std::min(kKernelPanelRows, x.rows() - first);
    respond(x, first, rows, responses.data(), scales.data());
    directions_.signs(responses.data(), std::ssize(squared_norms_), rows, scales.data(),
                      words + first * per_row, uncertain.data());
    for (Index r = 0; r < rows; ++r) {
      const auto begin = uncertain.begin() + r * per_row;
      if (std::any_of(begin, begin + per_row, [](std::uint64_t word) { return word != 0; })) {
        settle(x, first + r, &*begin, words + (first + r) * per_row);
      }
    }
  }
}

void PackedKernel::settle(const MatrixView& x, Index row, const std::uint64_t* uncertain,
                          std::uint64_t* words) const {
  const std::vector<double> responses = exact_.responses(x, row);
  for (Index word = 0; word < directions_.words(); ++word) {
    for (std::uint64_t unsure = uncertain[word]; unsure != 0; unsure &= unsure - 1) {
      const int at = std::countr_zero(unsure);
      const std::uint64_t mask = std::uint64_t{1} << static_cast<unsigned>(at);
      const bool positive = exact_.value(x, row, 64 * word + at, responses) > 0.0;
      words[word] = positive ? words[word] | mask : words[word] & ~mask;
    }
  }
}

}  // namespace structhash
