#pragma once

#include <vector>

#include "learner/selection.hpp"

/// What is tried where the user left something open.
namespace structhash {

/// What was given, and defaults for the rest.
ChosenParams default_params(const StructHashParams& params, Index rows, bool labelled);

/// One open parameter: where it is kept and which values are tried.
struct Axis {
  double ChosenParams::* value;
  std::vector<double> grid;
  double above = 0.0;   // no value is as small as this
  double errors = 2.0;  // by how many standard errors another value must be better
};

/// The ridge comes first: the best one differs by a factor of 100 between data sets, and what the
/// others are worth depends on it.  They serve most sets as they are, and must show more.
std::vector<Axis> open_axes(const StructHashParams& params, Index rows, bool labelled,
                            bool ridge_known);

/// What is tried without another training, the default of each first.
struct Finishes {
  std::vector<double> dithers;
  std::vector<double> shrinkages;
  bool open() const { return dithers.size() > 1 || shrinkages.size() > 1; }
};
Finishes open_finishes(const StructHashParams& params, const ChosenParams& start);

}  // namespace structhash
