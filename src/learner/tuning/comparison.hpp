#pragma once

#include <span>

/// Comparing a candidate with the incumbent by their scores of the same validation queries.
namespace structhash {

double mean_of(std::span<const double> values);

/// True if the candidate's mean is better by more than `errors` standard errors over queries plus
/// two over training seeds (the noise between equal trainings).
bool better_training(std::span<const double> candidate, std::span<const double> incumbent,
                     double errors);

/// The same for two uses of one training, say with other bit weights: by more than `errors`
/// standard errors over queries.
bool better_post_training(std::span<const double> candidate, std::span<const double> incumbent,
                          double errors);

}  // namespace structhash
