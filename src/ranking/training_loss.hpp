#pragma once

#include <memory>
#include <string_view>

#include "structhash/ranking/measure.hpp"

/// What is minimised when a user asks for a measure (docs/adr/0012).
namespace structhash {

struct TrainingLoss {
  /// Share of the relevant items that the lists hold, in (0, 1].  A cut-off K counts as K times it,
  /// at least 1: about where rank K of all items stands in a list.
  double listed = 1.0;
  /// Weight of the AUC in the loss, in [0, 1]:  gain = (1 - auc) gain_measure + auc gain_AUC.
  /// Measures that look at the first ranks alone learn from few pairs of a list; the AUC from all.
  double auc = 0.0;
};

/// The measure of that name (ranking/measures.hpp) as lists are trained for it.
std::unique_ptr<RankingMeasure> make_training_measure(std::string_view name,
                                                      const TrainingLoss& loss);

}  // namespace structhash
