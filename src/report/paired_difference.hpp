#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "structhash/core/types.hpp"

/// The difference of two methods, with its confidence interval.
namespace structhash {

/// Both methods answered the same queries; what counts is the difference query by query.
struct PairedDifference {
  double mean = 0.0;               // of a - b; above 0: a is better
  std::optional<double> margin{};  // the 95 % interval is mean -+ margin; one seed has none
  Index queries = 0;               // with a value of both, over all seeds
  Index seeds = 0;                 // with at least one such query

  /// There is an interval, and it contains 0: the difference is not significant.
  bool undecided() const { return margin && std::abs(mean) <= *margin; }
};

/// The 97.5 % quantile of Student's t.  Throws Errc::usage for fewer than one degree of freedom.
double student_quantile(Index degrees);

/// Element s of `a` and of `b` holds one value per query of seed s, in the same order; a query
/// whose value is NaN in either is left out.  The queries of a seed are a sample of their own.
/// Throws Errc::usage if sizes differ, Errc::bad_data if fewer than two queries have values.
PairedDifference paired_difference(std::span<const std::vector<float>> a,
                                   std::span<const std::vector<float>> b);

}  // namespace structhash
