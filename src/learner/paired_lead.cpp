#include "learner/paired_lead.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace structhash {
namespace {

/// Two trainings that differ by the seed alone differ by this share of what is missing to 1: about
/// .003 of .88 on handwritten digits, .015 of .4 on natural images.
constexpr double kSeedSpread = 0.025;

/// Mean of challenger - champion over the queries, compared one by one, and its squared error.
struct Lead {
  double mean = 0.0;
  double squared_error = 0.0;
};

Lead lead_of(std::span<const double> challenger, std::span<const double> champion) {
  const auto n = static_cast<double>(challenger.size());
  double mean = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < challenger.size(); ++i) {
    const double difference = challenger[i] - champion[i];
    mean += difference / n;
    squares += difference * difference / n;
  }
  return {mean, std::max(0.0, squares - mean * mean) / n};
}

}  // namespace

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool better_training(std::span<const double> challenger, std::span<const double> champion,
                     double errors) {
  const Lead lead = lead_of(challenger, champion);
  const double of_training = 2.0 * kSeedSpread * (1.0 - mean_of(champion));
  return lead.mean > std::sqrt(errors * errors * lead.squared_error + of_training * of_training);
}

bool better_finish(std::span<const double> challenger, std::span<const double> champion,
                   double errors) {
  const Lead lead = lead_of(challenger, champion);
  return lead.mean > errors * std::sqrt(lead.squared_error);
}

}  // namespace structhash
