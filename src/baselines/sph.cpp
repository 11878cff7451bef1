#include "baselines/sph.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "baselines/component_ranges.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

struct Mode {
  double frequency;  // k / width of the component
  std::int32_t component;
  Index k;  // half waves over the width
};

/// The `bits` smallest frequencies of all modes k = 1, 2, ... of all components.
std::vector<Mode> lowest_modes(const Vector<double>& widths, Index bits) {
  std::vector<Mode> modes;
  const double widest = widths.maxCoeff();
  for (Index c = 0; c < widths.size(); ++c) {
    const auto count = static_cast<Index>(std::ceil(to_double(bits + 1) * widths(c) / widest));
    for (Index k = 1; k <= std::max<Index>(count - 1, 0); ++k) {
      modes.push_back({to_double(k) / widths(c), static_cast<std::int32_t>(c), k});
    }
  }
  std::ranges::sort(modes, {}, [](const Mode& mode) {
    return std::tuple(mode.frequency, mode.component, mode.k);
  });
  modes.resize(static_cast<std::size_t>(bits));  // the widest component has at least this many
  return modes;
}

}  // namespace

/// bit = [ cos(k pi (v - low) / (high - low)) > 0 ],   v: a principal component, cut to its range
/// (docs/methods.md C.2).
///
/// Only the sign counts, so the cosine is stored as the zigzag through its extremes 1, -1, 1, ...,
/// which changes sign at the same places.
HashModel fit_sph(const TrainingSet& data, const SphParams& params, const FitContext& context) {
  check(data, Supervision::none, context.threads);
  ComponentRanges ranges =
      component_ranges(data.x, params.bits, /*tail=*/0.0, "sph", context.threads);
  const std::vector<Mode> modes =
      lowest_modes(ranges.high.cast<double>() - ranges.low.cast<double>(), params.bits);
  CurveEncoder encoder{.directions = std::move(ranges.directions),
                       .offsets = std::move(ranges.offsets),
                       .low = std::move(ranges.low),
                       .high = std::move(ranges.high),
                       .components = {},
                       .first_knot = {0},
                       .knots = {}};
  for (const Mode& mode : modes) {
    encoder.components.push_back(mode.component);
    for (Index knot = 0; knot <= mode.k; ++knot) {
      encoder.knots.push_back(knot % 2 == 0 ? 1.0F : -1.0F);
    }
    encoder.first_knot.push_back(std::ssize(encoder.knots));
  }
  return make_model("sph", kSphOptions, params, context.seed, std::move(encoder));
}

}  // namespace structhash
