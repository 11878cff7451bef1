#include "baselines/cgh.hpp"

#include "structhash/baselines/methods.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "baselines/squared_hinge.hpp"
#include "structhash/core/rng.hpp"
#include "support/expect_error.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::gaussian_clusters;

/// All triplets, one by one.
double slow_squared_hinge(std::span<const float> distances, std::size_t relevant,
                          std::vector<double>& slopes) {
  slopes.assign(distances.size(), 0.0);
  const double triplets =
      static_cast<double>(relevant) * static_cast<double>(distances.size() - relevant);
  double loss = 0.0;
  for (std::size_t j = 0; j < relevant; ++j) {
    for (std::size_t k = relevant; k < distances.size(); ++k) {
      const double margin = static_cast<double>(distances[k]) - static_cast<double>(distances[j]);
      const double short_by = std::max(0.0, 1.0 - 2.0 * margin);
      loss += 0.5 * short_by * short_by / triplets;
      slopes[j] += 2.0 * short_by / triplets;
      slopes[k] -= 2.0 * short_by / triplets;
    }
  }
  return loss;
}

TEST(Cgh, CollapsedTripletsEqualAllTriplets) {
  Rng rng(Seed{5});
  for (std::size_t trial = 0; trial < 200; ++trial) {
    const auto relevant = static_cast<std::size_t>(1 + rng.below(12));
    const auto all = relevant + static_cast<std::size_t>(1 + rng.below(12));
    std::vector<float> distances(all);
    for (float& distance : distances) {  // quarters: many ties, at the margin too
      distance = 0.25F * static_cast<float>(rng.below(10));
    }
    std::vector<float> slopes(all);
    std::vector<double> wanted;
    const double loss = slow_squared_hinge(distances, relevant, wanted);
    EXPECT_NEAR(squared_hinge(distances, relevant, slopes), loss, 1e-9);
    for (std::size_t i = 0; i < all; ++i) {
      EXPECT_NEAR(static_cast<double>(slopes[i]), wanted[i], 1e-6) << trial << ", " << i;
    }
  }
}

TEST(Cgh, BothLossesLearn) {
  const TrainingSet data = gaussian_clusters(Seed{1}, {.clusters = 4, .separation = 4.0});
  for (const TripletLoss loss : {TripletLoss::hinge, TripletLoss::squared_hinge}) {
    const HashModel model = fit_cgh(data, {.bits = 12, .loss = loss}, {});
    EXPECT_EQ(model.bit_weights.size(), 12U);
    EXPECT_GT(std::ranges::max(model.bit_weights), 0.0F);
  }
}

TEST(Cgh, BadOptionsAreNamed) {
  expect_error(Errc::usage, "squared-hinge or hinge",
               [] { find_method("cgh").make({.extra = {{"loss", "l2"}}}); });
  expect_error(Errc::usage, "ridge", [] {
    find_method("cgh").make({.functions = "stump", .extra = {{"ridge", "0.1"}}});
  });
  expect_error(Errc::usage, "trade-off must be",
               [] { check_options(kCghOptions, CghParams{.trade_off = 1.0}); });
}

}  // namespace
}  // namespace structhash
