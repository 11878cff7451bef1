#include "baselines/kernel_features.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::gaussian_clusters;

struct Any {
  Index bits = 64;
  FeatureParams features{};
};
constexpr auto kAnyOptions =
    std::tuple_cat(std::tuple{bits_option(&Any::bits)}, feature_options(&Any::features));

/// Three functions that look at single features, so that values can be compared one by one.
LinearFunctions first_three(const Matrix<float>& z) {
  return {Matrix<double>::Identity(3, z.cols()), Vector<double>::Constant(3, 0.25)};
}

TEST(KernelFeatures, TheEncoderComputesWhatWasLearned) {
  const TrainingSet data = gaussian_clusters(Seed{1}, {.separation = 3.0});
  for (const Functions functions : {Functions::linear, Functions::kernel}) {
    SCOPED_TRACE(name_of(functions));
    Matrix<float> seen;
    const Encoder encoder = fit_on_features(data.x, {.functions = functions, .anchors = 20},
                                            {.seed = Seed{3}}, [&](const Matrix<float>& z) {
                                              seen = z;
                                              return first_three(z);
                                            });
    EXPECT_EQ(seen.cols(), functions == Functions::kernel ? 20 : 8);
    EXPECT_LT(seen.colwise().mean().cwiseAbs().maxCoeff(), 1e-5F);
    EXPECT_NEAR(seen.rowwise().squaredNorm().mean(), 1.0F, 1e-4F);
    const Matrix<float> values = decision_values(encoder, data.x, 1);
    EXPECT_LT((values - seen.leftCols(3)).array().abs().maxCoeff(), 0.2501F);
    EXPECT_GT((values - seen.leftCols(3)).array().minCoeff(), 0.2499F);
  }
}

TEST(KernelFeatures, NeverMoreAnchorsThanRows) {
  const TrainingSet data = gaussian_clusters(Seed{1});
  const Encoder encoder =
      fit_on_features(data.x, {.functions = Functions::kernel, .anchors = 300}, {}, first_three);
  EXPECT_EQ(std::get<KernelEncoder>(encoder).anchors.rows(), data.x.rows());
}

TEST(KernelFeatures, OptionsThatHaveNoEffectAreRefused) {
  MethodOptions options;
  options.extra = {{"anchors", "100"}, {"width", "0.5"}};
  const auto read = [&] { return read_options<Any>("any", kAnyOptions, options).features; };
  expect_error(Errc::usage, "anchors has no effect on linear functions; leave it out", read);
  options.functions = "kernel";
  EXPECT_EQ(read().anchors, 100);
  EXPECT_EQ(read().width, 0.5);
  options.functions = "tree";
  options.extra.clear();
  expect_error(Errc::usage, "functions must be linear or kernel, got tree", read);
}

TEST(KernelFeatures, EqualRowsAreNamed) {
  const Matrix<float> equal = Matrix<float>::Constant(5, 2, 7.0F);
  for (const Functions functions : {Functions::linear, Functions::kernel}) {
    expect_error(Errc::usage, "all training rows are equal",
                 [&] { fit_on_features(equal, {.functions = functions}, {}, first_three); });
  }
}

}  // namespace
}  // namespace structhash
