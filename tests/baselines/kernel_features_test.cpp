#include "baselines/kernel_features.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "hashing/families/leave_one_out.hpp"
#include "structhash/baselines/methods.hpp"
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
    const Encoder encoder =
        fit_on_features(data.x, {}, {.functions = functions, .anchors = 20, .self_response = 1.0},
                        {.seed = Seed{3}},
                        [&](const Matrix<float>& z) {
                          seen = z;
                          return first_three(z);
                        })
            .encoder;
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
      fit_on_features(data.x, {}, {.functions = Functions::kernel, .anchors = 300}, {}, first_three)
          .encoder;
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

TEST(KernelFeatures, ComponentsAreThoseOfStructHash) {
  const TrainingSet data = gaussian_clusters(Seed{1}, {.separation = 3.0});
  for (const Functions functions : {Functions::linear, Functions::kernel}) {
    SCOPED_TRACE(name_of(functions));
    double ridge = 0.0;
    const auto fit = [&](const RidgedFeatures& features) {
      ridge = features.ridge / features.variances(0);
      EXPECT_NEAR(features.variances(1),
                  features.z.col(1).squaredNorm() / static_cast<float>(features.z.rows()),
                  1e-4 * features.variances(1));
      return first_three(features.z);
    };
    const FitContext context{.seed = Seed{3}};
    const Fitted fitted = fit_on_components(
        data, {.functions = functions, .anchors = 40, .width = kKernelWidth}, context, fit);
    const Shards shards(data.x.rows());
    const ResponseSpace space =
        functions == Functions::linear
            ? ResponseSpace(data.x, shards, 1)
            : ResponseSpace(data.x, shards, KernelParams{.anchors = 40}, Seed{3}, 1);
    const Matrix<float> targets = partition_targets(data.labels, Seed{3}.fork("targets"));
    EXPECT_DOUBLE_EQ(ridge, leave_one_out_ridge(space, targets, 1.0, 1).ridge);
    EXPECT_DOUBLE_EQ(fitted.learned["chosen"]["ridge"].get<double>(), ridge);
    const Matrix<float> values = decision_values(fitted.encoder, data.x, 1);
    if (functions == Functions::linear) {  // kernel: anchors respond to themselves less in training
      EXPECT_LT((values - space.components().leftCols(3)).array().abs().maxCoeff(), 0.251F);
      EXPECT_GT((values - space.components().leftCols(3)).array().minCoeff(), 0.249F);
    }
  }
}

/// Every method with kernel functions, by its name: options, then the encoder.
KernelEncoder kernel_encoder(std::string_view method, const TrainingSet& data,
                             std::map<std::string, std::string> extra = {}) {
  extra["anchors"] = "50";
  const MethodOptions options{.bits = 8, .functions = "kernel", .extra = std::move(extra)};
  const HashModel model = find_method(method).make(options)->fit(data, {.seed = Seed{5}});
  return std::get<KernelEncoder>(model.encoder);
}

constexpr std::array kLabelled{"ksh",     "sdh",  "hcsdh", "cosdish", "mihash",
                               "cca-itq", "splh", "sths",  "bres",    "cgh"};

TEST(KernelFeatures, AnchorsAndWidthAreThoseOfStructHash) {
  const TrainingSet data = gaussian_clusters(Seed{1}, {.separation = 3.0});
  const KernelEncoder expected = kernel_encoder("structhash", data);
  for (const std::string_view method : kLabelled) {
    SCOPED_TRACE(method);
    const KernelEncoder found = kernel_encoder(method, data, {{"width", "auto"}});
    EXPECT_EQ(found.anchors, expected.anchors);
    EXPECT_EQ(found.gamma, expected.gamma);
  }
}

TEST(KernelFeatures, DitherIsAnOptionOfEveryMethodWithLabels) {
  const TrainingSet data = gaussian_clusters(Seed{1}, {.separation = 3.0});
  for (const std::string_view method : kLabelled) {
    SCOPED_TRACE(method);
    const KernelEncoder usual = kernel_encoder(method, data);
    const KernelEncoder none = kernel_encoder(method, data, {{"dither", "0"}});
    const KernelEncoder some = kernel_encoder(method, data, {{"dither", "0.4"}});
    EXPECT_EQ(usual, none) << "no dither unless it is asked for";
    EXPECT_LT((some.directions.row(0) - none.directions.row(0)).norm(),
              1e-4F * none.directions.row(0).norm())
        << "the first bit has none";
    EXPECT_GT((some.directions.row(7) - none.directions.row(7)).norm(),
              1e-2F * none.directions.row(7).norm());
  }
}

TEST(KernelFeatures, EqualRowsAreNamed) {
  const Matrix<float> equal = Matrix<float>::Constant(5, 2, 7.0F);
  for (const Functions functions : {Functions::linear, Functions::kernel}) {
    expect_error(Errc::usage, "all training rows are equal",
                 [&] { fit_on_features(equal, {}, {.functions = functions}, {}, first_three); });
  }
}

}  // namespace
}  // namespace structhash
