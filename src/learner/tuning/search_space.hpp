#pragma once

#include <optional>
#include <vector>

#include "learner/recipe.hpp"

/// The values that tuning tries for parameters that are "auto".
namespace structhash {

/// One open parameter.
struct Axis {
  double Candidate::* value;
  std::vector<double> grid;
  double above = 0.0;   // lower bound of the values, exclusive
  double errors = 2.0;  // standard errors by which another value must be better
};

/// Values that need no further training; the first of each is the default.
struct PostTraining {
  std::vector<double> dithers;
  std::vector<double> shrinkages;
  bool open() const { return dithers.size() > 1 || shrinkages.size() > 1; }
};

struct SearchSpace {
  std::vector<Axis> axes;  // in the order they are tuned
  PostTraining post_training;
  bool empty() const { return axes.empty() && !post_training.open(); }
};

/// The ridge of lists without labels comes first: the best one differs by a factor of 100 between
/// data sets, and the others depend on it.  The defaults of the others suit most sets: another
/// value must show more.
SearchSpace search_space(const StructHashParams& params, const Recipe& defaults,
                         const TrainingTraits& traits);

/// The optimum may lie beyond a grid whose end wins: the next value, by the factor that led from
/// `before` to `now`.  None if nothing changed or the value would not be above the bound.
std::optional<double> next_beyond(double before, double now, double above);

}  // namespace structhash
