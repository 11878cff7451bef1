#include "baselines/lsh.hpp"

#include <gtest/gtest.h>

#include "structhash/baselines/methods.hpp"
#include "structhash/codes/distance.hpp"
#include "support/expect_error.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::gaussian_clusters;

const LinearEncoder& linear(const HashModel& model) {
  return std::get<LinearEncoder>(model.encoder);
}

TEST(Lsh, HyperplanesPassThroughTheMean) {
  TrainingSet data = gaussian_clusters(Seed{1}, {.rows_per_cluster = 3'000, .lists = false});
  data.x.array() += 5.0F;  // far from the origin
  const HashModel model = fit_lsh(data, {.bits = 40}, {.seed = Seed{3}, .threads = 2});
  const Vector<double> mean = data.x.cast<double>().colwise().mean();
  const Vector<double> at_mean =
      linear(model).directions.cast<double>() * mean + linear(model).offsets.cast<double>();
  EXPECT_LT(at_mean.cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_EQ(model.parameters, R"({"bits":40,"centre":true,"functions":"linear","seed":3})");
}

TEST(Lsh, WithoutCentringTheyPassThroughTheOrigin) {
  const TrainingSet data = gaussian_clusters(Seed{1});
  const HashModel model = fit_lsh(data, {.bits = 5, .centre = false}, {});
  EXPECT_EQ(linear(model).offsets, Vector<float>::Zero(5));
  EXPECT_EQ(linear(model).directions, linear(fit_lsh(data, {.bits = 5}, {})).directions);
}

TEST(Lsh, DirectionsAreStandardNormal) {
  const TrainingSet data = gaussian_clusters(Seed{1}, {.dimension = 200});
  const auto directions = linear(fit_lsh(data, {.bits = 500}, {})).directions.cast<double>().eval();
  EXPECT_NEAR(directions.mean(), 0.0, 0.013);  // 4 standard errors of 100,000 draws
  EXPECT_NEAR(directions.squaredNorm() / 100'000.0, 1.0, 0.018);
}

/// Goemans, Williamson: two vectors at angle t differ in a random hyperplane with probability t/pi.
TEST(Lsh, HammingDistanceEstimatesTheAngle) {
  const TrainingSet data{
      .x = Matrix<float>{{1, 0}, {1, 1}, {0, 1}, {-1, 0}}, .labels = {}, .lists = {}};
  const Index bits = 20'000;
  const HashModel model = fit_lsh(data, {.bits = bits, .centre = false}, {});
  const CodeMatrix codes = encode(model, data.x, 1);
  const auto share = [&](Index a, Index b) {
    return to_double(hamming(codes.row(a), codes.row(b))) / to_double(bits);
  };
  EXPECT_NEAR(share(0, 1), 0.25, 0.0125);  // 45 degrees; 4 standard errors of 20,000 draws
  EXPECT_NEAR(share(0, 2), 0.50, 0.0142);  // 90 degrees
  EXPECT_EQ(share(0, 3), 1.0);             // opposite
}

TEST(Lsh, FirstBitsDoNotDependOnTheNumberOfBits) {
  const TrainingSet data = gaussian_clusters(Seed{1});
  const LinearEncoder few = linear(fit_lsh(data, {.bits = 5}, {}));
  const LinearEncoder many = linear(fit_lsh(data, {.bits = 50}, {}));
  EXPECT_EQ(many.directions.topRows(5), few.directions);
  EXPECT_EQ(many.offsets.head(5), few.offsets);
}

TEST(Lsh, OtherSeedsGiveOtherDirections) {
  const TrainingSet data = gaussian_clusters(Seed{1});
  EXPECT_NE(fit_lsh(data, {}, {.seed = Seed{1}}), fit_lsh(data, {}, {.seed = Seed{2}}));
}

TEST(Lsh, OptionsAreRead) {
  const TrainingSet data = gaussian_clusters(Seed{1});
  MethodOptions options{.bits = 6};
  options.extra.emplace("centre", "false");
  EXPECT_EQ(find_method("lsh").make(options)->fit(data, {}),
            fit_lsh(data, {.bits = 6, .centre = false}, {}));
  options.extra = {{"center", "false"}};
  expect_error(Errc::usage, "did you mean 'centre'?", [&] { find_method("lsh").make(options); });
  options.extra = {{"centre", "false"}};
  options.functions = "kernel";  // of centred responses
  expect_error(Errc::usage, "centre has no effect on kernel functions; leave it out",
               [&] { find_method("lsh").make(options); });
}

TEST(Lsh, TakesKernelFeatures) {
  const TrainingSet data = gaussian_clusters(Seed{1});
  const HashModel model =
      find_method("lsh").make({.bits = 6, .functions = "kernel"})->fit(data, {});
  const auto& encoder = std::get<KernelEncoder>(model.encoder);
  EXPECT_EQ(encoder.anchors.rows(), data.x.rows());
  EXPECT_EQ(encoder.bits(), 6);
}

TEST(MethodTable, UnknownNamesGetAHint) {
  EXPECT_EQ(find_method("lsh").supervision, Supervision::none);
  expect_error(Errc::usage,
               "unknown method 'lhs'; did you mean 'lsh'? Known: ", [] { find_method("lhs"); });
}

}  // namespace
}  // namespace structhash
