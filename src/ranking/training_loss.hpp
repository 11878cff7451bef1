#pragma once

#include <memory>
#include <string_view>

#include "ranking/gain_table.hpp"

/// The loss that training for a measure minimises (docs/adr/0012).
namespace structhash {

struct TrainingLoss {
  /// Share of the relevant items that the lists hold, in (0, 1].  A cut-off K counts as K times it,
  /// at least 1: about the place of rank K of all items in a list.
  double listed = 1.0;
  /// Weight of the AUC in the loss, in [0, 1]:  gain = (1 - auc) gain_measure + auc gain_AUC.
  /// A measure of the first ranks learns from few pairs of a list, the AUC from all.
  double auc = 0.0;
};

/// The loss of the measure of that name (ranking/training_gains.hpp).
std::unique_ptr<RankingMeasure> make_training_measure(std::string_view name,
                                                      const TrainingLoss& loss);

}  // namespace structhash
