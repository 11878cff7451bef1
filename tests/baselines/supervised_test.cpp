/// What is particular to the supervised methods; what all share is in the conformance suite.
#include <gtest/gtest.h>

#include "baselines/bres.hpp"
#include "baselines/cca_itq.hpp"
#include "baselines/fasthash.hpp"
#include "baselines/ksh.hpp"
#include "baselines/splh.hpp"
#include "baselines/sths.hpp"
#include "data/label_indicator.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/codes/distance.hpp"
#include "support/expect_error.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::gaussian_clusters;

/// Rows of four clusters, whose labels are two bits: related are those with a bit in common.
TrainingSet multi_labelled() {
  TrainingSet data = gaussian_clusters(Seed{1}, {.clusters = 4, .lists = false});
  data.labels.multi = Matrix<std::uint8_t>::Zero(data.x.rows(), 3);
  for (Index row = 0; row < data.x.rows(); ++row) {
    const int cluster = data.labels.classes[static_cast<std::size_t>(row)];
    data.labels.multi(row, cluster % 2) = 1;
    data.labels.multi(row, 2) = cluster == 3 ? 1 : 0;
  }
  data.labels.classes.clear();
  return data;
}

double mean_distance(const CodeMatrix& codes, const Labels& labels, bool related) {
  double sum = 0.0;
  double count = 0.0;
  for (Index a = 0; a < codes.rows(); ++a) {
    for (Index b = 0; b < a; ++b) {
      if (labels.related(a, b) == related) {
        sum += to_double(hamming(codes.row(a), codes.row(b)));
        count += 1.0;
      }
    }
  }
  return sum / count;
}

class FromLabels : public testing::TestWithParam<std::string_view> {};

TEST_P(FromLabels, LearnsFromMultiLabels) {
  const TrainingSet data = multi_labelled();
  const HashModel model = find_method(GetParam()).make({.bits = 16})->fit(data, {});
  const CodeMatrix codes = encode(model, data.x, 1);
  EXPECT_LT(mean_distance(codes, data.labels, true), mean_distance(codes, data.labels, false));
}

std::vector<std::string_view> methods_from_multi_labels() {
  std::vector<std::string_view> names;
  for (const MethodEntry& method : methods()) {
    if (method.supervision == Supervision::labels && method.multi_labels) {
      names.push_back(method.name);
    }
  }
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string_view>& instance) {
  std::string name(instance.param);
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, FromLabels, testing::ValuesIn(methods_from_multi_labels()),
                         test_name);

class OfFeatures : public testing::TestWithParam<std::string_view> {};

TEST_P(OfFeatures, TakesLinearAndKernelFunctions) {
  const TrainingSet data = gaussian_clusters(Seed{1}, {.clusters = 3});
  MethodOptions options{.bits = 8};
  options.functions = "linear";
  const HashModel linear = find_method(GetParam()).make(options)->fit(data, {});
  EXPECT_TRUE(std::holds_alternative<LinearEncoder>(linear.encoder));
  options.functions = "kernel";
  options.extra = {{"anchors", "25"}};
  const HashModel kernel = find_method(GetParam()).make(options)->fit(data, {});
  EXPECT_EQ(std::get<KernelEncoder>(kernel.encoder).anchors.rows(), 25);
  options.functions = "forest";
  options.extra.clear();
  expect_error(Errc::usage, "functions must be linear or kernel, got forest",
               [&] { find_method(GetParam()).make(options); });
}

INSTANTIATE_TEST_SUITE_P(Table, OfFeatures,
                         testing::Values("cca-itq", "bres", "sths", "splh", "ksh", "cosdish",
                                         "mihash", "sdh", "hcsdh"),
                         test_name);

/// The same data twice: a class per row, and one label per row in a matrix.
std::pair<TrainingSet, TrainingSet> classes_and_indicator() {
  TrainingSet classes =
      gaussian_clusters(Seed{2}, {.clusters = 9, .rows_per_cluster = 12, .lists = false});
  TrainingSet indicator = classes;
  indicator.labels.multi = label_indicator(classes.labels).cast<std::uint8_t>();
  indicator.labels.classes.clear();
  return {std::move(classes), std::move(indicator)};
}

class BySumsOfClasses : public testing::TestWithParam<std::string_view> {};

/// Classes need no matrix of labels, and give what the matrix gives.
TEST_P(BySumsOfClasses, LearnWhatTheIndicatorTeaches) {
  const auto [classes, indicator] = classes_and_indicator();
  const auto hasher = find_method(GetParam()).make({.bits = 16, .functions = "linear"});
  EXPECT_EQ(encode(hasher->fit(classes, {}), classes.x, 1),
            encode(hasher->fit(indicator, {}), indicator.x, 1));
}

INSTANTIATE_TEST_SUITE_P(Table, BySumsOfClasses,
                         testing::Values("bres", "cosdish", "ksh", "mihash", "sdh", "splh"),
                         test_name);

/// D D' of the canonical directions D, times which every rotation has the same W' W.
TEST(CcaItq, MoreClassesThanFeaturesHaveTheSameDirections) {
  const auto [classes, indicator] = classes_and_indicator();
  ASSERT_LT(classes.x.cols(), 9);
  const auto form = [&](const TrainingSet& data) -> Matrix<double> {
    const HashModel model = fit_cca_itq(
        data, {.bits = 4, .features = {.functions = Functions::linear, .dither = 0.0}}, {});
    const auto& weights = std::get<LinearEncoder>(model.encoder).directions;
    return (weights.transpose() * weights).cast<double>();
  };
  const Matrix<double> expected = form(indicator);
  EXPECT_LT((form(classes) - expected).norm(), 1e-3 * expected.norm());
}

/// Two classes have one canonical direction; the rotation gives it to every bit.
TEST(CcaItq, OneDirectionFillsAllBits) {
  const TrainingSet data = gaussian_clusters(Seed{1});
  const HashModel model = fit_cca_itq(data, {.bits = 12}, {});
  const CodeMatrix codes = encode(model, data.x, 1);
  EXPECT_EQ(hamming(codes.row(0), codes.row(2)), 0);
  EXPECT_EQ(hamming(codes.row(0), codes.row(1)), 12);
}

TEST(Ksh, RefinementNeverExplainsLess) {
  const TrainingSet data = gaussian_clusters(Seed{3}, {.clusters = 4, .separation = 1.5});
  const auto gap = [&](Index iterations) {
    const HashModel model = fit_ksh(data, {.bits = 1, .iterations = iterations}, {});
    const CodeMatrix codes = encode(model, data.x, 1);
    double agreement = 0.0;  // y' S y of the one bit
    for (Index a = 0; a < codes.rows(); ++a) {
      for (Index b = 0; b < codes.rows(); ++b) {
        const bool same = codes.bit(a, 0) == codes.bit(b, 0);
        agreement += same == data.labels.related(a, b) ? 1.0 : -1.0;
      }
    }
    return agreement;
  };
  EXPECT_GE(gap(50), gap(0));
}

TEST(Sths, NeedsAsManyEigenvectorsAsBits) {
  const TrainingSet data = gaussian_clusters(Seed{1});  // 60 rows
  EXPECT_EQ(fit_sths(data, {.bits = 59}, {}).bits(), 59);
  expect_error(Errc::usage, "60 bits need as many eigenvectors, but 60 training rows give 59",
               [&] { fit_sths(data, {.bits = 60}, {}); });
}

TEST(FastHash, AllLossesLearn) {
  const TrainingSet data = gaussian_clusters(Seed{1}, {.clusters = 3, .lists = false});
  for (const auto& [name, loss] : kPairLosses.names) {
    FastHashParams params{.bits = 8, .loss = loss};
    params.trees.trees = 10;
    const HashModel model = fit_fasthash(data, params, {});
    const CodeMatrix codes = encode(model, data.x, 1);
    EXPECT_LT(mean_distance(codes, data.labels, true), 1.5) << name;
    EXPECT_GT(mean_distance(codes, data.labels, false), 3.0) << name;
  }
  MethodOptions options;
  options.extra = {{"loss", "l1"}};
  expect_error(Errc::usage, "loss must be hinge, ksh or bre, got l1",
               [&] { find_method("fasthash").make(options); });
}

TEST(Splh, WithoutLabelledPairsItIsPrincipalComponents) {
  const TrainingSet data = gaussian_clusters(Seed{1});
  const HashModel model =
      fit_splh(data, {.bits = 2, .labelled_weight = 0.0, .features = {.ridge = 0.5}}, {});
  const auto& encoder = std::get<LinearEncoder>(model.encoder);
  const AffineMap pca = fit_pca(data.x, 2, 1);
  for (Index bit = 0; bit < 2; ++bit) {
    const Vector<float> direction = encoder.directions.row(bit).transpose().normalized();
    EXPECT_NEAR(std::abs(direction.dot(pca.matrix.col(bit))), 1.0F, 1e-3F);
  }
}

TEST(Bres, MoreSweepsFitTheTargetsBetter) {
  const TrainingSet data = gaussian_clusters(Seed{2}, {.clusters = 4, .separation = 3.0});
  const auto error = [&](Index sweeps) {
    const BresParams params{.bits = 16, .partners = 1.0, .sweeps = sweeps};
    const CodeMatrix codes = encode(fit_bres(data, params, {}), data.x, 1);
    return mean_distance(codes, data.labels, true) - mean_distance(codes, data.labels, false);
  };
  EXPECT_LE(error(10), error(1) + 0.5);
}

}  // namespace
}  // namespace structhash
