#include "learner/tuning/search_space.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace structhash {
namespace {

std::vector<double> values_of(const std::optional<double>& given, double first,
                              std::initializer_list<double> others) {
  std::vector<double> values{first};
  if (!given) {
    std::ranges::copy_if(others, std::back_inserter(values),
                         [&](double value) { return value != first; });
  }
  return values;
}

/// Linear functions lose by any dither (docs/adr/0021).
PostTraining post_training_values(const StructHashParams& params, const Recipe& defaults) {
  return {.dithers = params.functions == Functions::kernel
                         ? values_of(params.dither, defaults.dither, {0.0, 0.2, 0.4, 0.6})
                         : std::vector{defaults.dither},
          .shrinkages =
              values_of(params.shrinkage, defaults.shrinkage, {1.0, 0.9, 0.75, 0.5, 0.25, 0.0})};
}

}  // namespace

SearchSpace search_space(const StructHashParams& params, const Recipe& defaults,
                         const TrainingTraits& traits) {
  const double growth = rows_per_2000(traits.rows);
  const double errors = traits.labelled ? 3.0 : 2.0;
  const bool kernel = params.functions == Functions::kernel;
  const bool smooth = kSmoothFunctions.contains(params.functions);
  SearchSpace space{.axes = {}, .post_training = post_training_values(params, defaults)};
  if (smooth && !params.ridge && !traits.labelled) {
    space.axes.push_back({&Candidate::ridge, kernel ? std::vector{1e-6 / growth, 1e-3 / growth}
                                                    : std::vector{0.005, 0.08}});
  }
  if (kernel && !params.width) {
    space.axes.push_back({&Candidate::width, {0.12, 0.5}, 0.0, errors});
  }
  if (smooth && !params.penalty) {
    space.axes.push_back({&Candidate::penalty,
                          kernel ? std::vector{0.1, 1.0} : std::vector{0.05, 0.6}, 0.0, errors});
  }
  if (!params.trade_off) {
    const double trade_off = defaults.learner.trade_off;
    space.axes.push_back({&Candidate::trade_off, {0.3 * trade_off, 3.0 * trade_off}, 1.0, errors});
  }
  return space;
}

std::optional<double> next_beyond(double before, double now, double above) {
  const double next = now * (now / before);
  return now != before && next > above ? std::optional(next) : std::nullopt;
}

}  // namespace structhash
