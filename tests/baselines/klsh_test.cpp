#include "baselines/klsh.hpp"
#include "hashing/radial_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "structhash/baselines/methods.hpp"
#include "structhash/codes/distance.hpp"
#include "support/expect_error.hpp"
#include "support/random_forms.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;

/// With one anchor in every subset, the value of bit b at anchor i is an entry of sqrt(p - 1) times
/// the root of the centred kernel matrix: products of these rows give that matrix back.
TEST(Klsh, ValuesAtAnchorsAreARootOfTheCentredKernel) {
  const Matrix<float> x = test::random_matrix(12, 3, Seed{1});
  const HashModel model = fit_klsh({.x = x, .labels = {}, .lists = {}},
                                   {.bits = 4'000, .anchors = 12, .subset = 1}, {});
  const auto& encoder = std::get<KernelEncoder>(model.encoder);
  const Matrix<double> kernel =
      kernel_responses(encoder.anchors, encoder.anchors, encoder.gamma, 1).cast<double>();
  const Matrix<double> h =
      Matrix<double>::Identity(12, 12) - Matrix<double>::Constant(12, 12, 1.0 / 12.0);
  const Matrix<double> expected = h * kernel * h;
  const Matrix<double> values = encoder.values(encoder.anchors).cast<double>();
  const Matrix<double> found = values * values.transpose() / 4'000.0 * 12.0 / 11.0;
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 0.06);  // 4,000 random subsets
}

/// Centred in training and in encoding alike: the values at the anchors sum to zero.
TEST(Klsh, HyperplanesPassThroughTheMeanOfTheAnchors) {
  const Matrix<float> x = test::random_matrix(200, 5, Seed{2});
  const HashModel model =
      fit_klsh({.x = x, .labels = {}, .lists = {}}, {.bits = 30, .anchors = 50}, {});
  const auto& encoder = std::get<KernelEncoder>(model.encoder);
  const Matrix<float> values = encoder.values(encoder.anchors);
  EXPECT_LT(values.colwise().mean().cwiseAbs().maxCoeff(), 1e-3F);
}

TEST(Klsh, NamesWhatToChange) {
  expect_error(Errc::usage, "all training rows are equal", [] {
    fit_klsh({.x = Matrix<float>::Ones(20, 3), .labels = {}, .lists = {}}, {}, {});
  });
  MethodOptions options{.bits = 6};
  options.extra = {{"width", "-1"}};
  expect_error(Errc::usage, "width must be above 0, got -1",
               [&] { find_method("klsh").make(options); });
}

TEST(Klsh, OptionsAreRead) {
  const TrainingSet data = test::gaussian_clusters(Seed{1});
  MethodOptions options{.bits = 6};
  options.extra = {{"anchors", "20"}, {"subset", "4"}, {"width", "0.5"}};
  EXPECT_EQ(find_method("klsh").make(options)->fit(data, {}),
            fit_klsh(data, {.bits = 6, .anchors = 20, .subset = 4, .width = 0.5}, {}));
}

}  // namespace
}  // namespace structhash
