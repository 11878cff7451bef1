#include "learner/search_space.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace structhash {
namespace {

/// Kernel functions of more rows need less holding back: the ridge falls as 1 / rows, C grows with
/// their root.  Their defaults stand for 2,000 rows or fewer (docs/adr/0009).
double times_two_thousand(Index rows) {
  return std::max(1.0, to_double(rows) / 2000.0);
}

std::vector<double> values_of(const std::optional<double>& given, double first,
                              std::initializer_list<double> others) {
  std::vector<double> values{first};
  if (!given) {
    std::ranges::copy_if(others, std::back_inserter(values),
                         [&](double value) { return value != first; });
  }
  return values;
}

}  // namespace

ChosenParams default_params(const StructHashParams& params, Index rows, bool labelled) {
  const double more = times_two_thousand(rows);
  const bool kernel = params.functions == "kernel";
  return {.trade_off = params.trade_off.value_or(kernel ? 10.0 * std::sqrt(more) : 30.0),
          .ridge = params.ridge.value_or(kernel ? 6e-5 / more : 0.02),
          .penalty = params.penalty.value_or(kernel ? 0.3 : 0.2),
          .width = params.width.value_or(0.25),
          .shrinkage = params.shrinkage.value_or(kernel ? 1.0 : 0.5),
          .dither = params.dither.value_or(kernel && labelled ? 0.4 : 0.0)};
}

std::vector<Axis> open_axes(const StructHashParams& params, Index rows, bool labelled,
                            bool ridge_known) {
  const double more = times_two_thousand(rows);
  const double errors = labelled ? 3.0 : 2.0;
  std::vector<Axis> axes;
  const bool kernel = params.functions == "kernel";
  if (!params.ridge && !ridge_known && (kernel || params.functions == "linear")) {
    axes.push_back({&ChosenParams::ridge,
                    kernel ? std::vector{1e-6 / more, 1e-3 / more} : std::vector{0.005, 0.08}});
  }
  if (kernel && !params.width) {
    axes.push_back({&ChosenParams::width, {0.12, 0.5}, 0.0, errors});
  }
  if (!params.penalty && (kernel || params.functions == "linear")) {
    axes.push_back({&ChosenParams::penalty, kernel ? std::vector{0.1, 1.0} : std::vector{0.05, 0.6},
                    0.0, errors});
  }
  if (!params.trade_off) {
    axes.push_back({&ChosenParams::trade_off,
                    kernel ? std::vector{3.0 * std::sqrt(more), 30.0 * std::sqrt(more)}
                           : std::vector{10.0, 100.0},
                    1.0, errors});
  }
  return axes;
}

/// Linear functions lose by any dither (docs/adr/0021).
Finishes open_finishes(const StructHashParams& params, const ChosenParams& start) {
  return {
      .dithers = params.functions == "kernel"
                     ? values_of(params.dither, start.dither, {0.0, 0.2, 0.4, 0.6})
                     : std::vector{start.dither},
      .shrinkages = values_of(params.shrinkage, start.shrinkage, {1.0, 0.9, 0.75, 0.5, 0.25, 0.0})};
}

}  // namespace structhash
