#pragma once

#include <span>

/// Comparing two candidates by their scores of the same held-out queries.
namespace structhash {

double mean_of(std::span<const double> values);

/// Two trainings: better by more than so many standard errors of the queries, and two of training,
/// which with another seed ends elsewhere?
bool better_training(std::span<const double> challenger, std::span<const double> champion,
                     double errors);

/// Two weightings of the same bits: better by more than one standard error of the queries?  Luck of
/// training touches both alike.
bool better_weights(std::span<const double> challenger, std::span<const double> champion);

}  // namespace structhash
