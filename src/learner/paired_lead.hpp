#pragma once

#include <span>

/// Comparing two candidates by their scores of the same held-out queries.
namespace structhash {

double mean_of(std::span<const double> values);

/// Two trainings: better by more than so many standard errors of the queries, and two of training,
/// which with another seed ends elsewhere?
bool better_training(std::span<const double> challenger, std::span<const double> champion,
                     double errors);

/// Two finishes of the same bits, other weights, say: better by more than so many standard errors
/// of the queries?  Luck of training touches both alike.
bool better_finish(std::span<const double> challenger, std::span<const double> champion,
                   double errors);

}  // namespace structhash
