#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "conformance/method_names.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/hashing/model_io.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "support/tiny_datasets.hpp"

/// What must hold for every method of the table: a new line in it is tested by being there.
namespace structhash {
namespace {

using test::expect_error;
using test::gaussian_clusters;

class EveryMethod : public testing::TestWithParam<MethodEntry> {
 protected:
  static HashModel fit(const TrainingSet& data, FitContext context = {}, Index bits = 20) {
    return GetParam().make(MethodOptions{.bits = bits})->fit(data, context);
  }

  const TrainingSet data_ = gaussian_clusters(Seed{1}, {.clusters = 3});
};

/// Distance of two rows as the method means it.
double distance(const HashModel& model, const CodeMatrix& codes, Index a, Index b) {
  if (model.bit_weights.empty()) {
    return to_double(hamming(codes.row(a), codes.row(b)));
  }
  return WeightTable(model.bit_weights).distance(codes.row(a), codes.row(b));
}

TEST_P(EveryMethod, DescribesItself) {
  EXPECT_FALSE(GetParam().summary.empty());
  EXPECT_FALSE(GetParam().reference.empty());
  EXPECT_EQ(find_method(GetParam().name).summary, GetParam().summary);
  const HashModel model = fit(data_);
  EXPECT_EQ(model.method, GetParam().name);
  EXPECT_EQ(model.dimension(), data_.x.cols());
  EXPECT_EQ(model.bit_weights.empty(), GetParam().distance == Distance::hamming);
  EXPECT_EQ(model.mean_magnitudes.empty(), !GetParam().adaptive);
  EXPECT_NO_THROW(check(model));
}

TEST_P(EveryMethod, SameSeedGivesTheSameModelAndCodes) {
  const HashModel first = fit(data_, {.seed = Seed{7}});
  const HashModel second = fit(data_, {.seed = Seed{7}});
  EXPECT_EQ(first, second);
  EXPECT_EQ(encode(first, data_.x, 1), encode(second, data_.x, 1));
}

TEST_P(EveryMethod, NumberOfThreadsChangesNothing) {
  const TrainingSet large = gaussian_clusters(Seed{2}, {.clusters = 3, .rows_per_cluster = 200});
  const HashModel one = fit(large, {.seed = Seed{7}, .threads = 1}, 9);
  const HashModel two = fit(large, {.seed = Seed{7}, .threads = 2}, 9);
  EXPECT_EQ(one, two);
  EXPECT_EQ(encode(one, large.x, 1), encode(one, large.x, 2));
}

TEST_P(EveryMethod, CodeOfARowDependsOnTheRowAlone) {
  const TrainingSet large = gaussian_clusters(Seed{3}, {.clusters = 3, .rows_per_cluster = 101});
  const HashModel model = fit(large);
  const CodeMatrix codes = encode(model, large.x, 1);
  const CodeMatrix reversed = encode(model, large.x.colwise().reverse(), 1);
  for (Index row = 0; row < large.x.rows(); ++row) {
    const CodeMatrix alone = encode(model, large.x.row(row), 1);
    ASSERT_TRUE(std::ranges::equal(alone.row(0), codes.row(row))) << "row " << row;
    ASSERT_TRUE(std::ranges::equal(reversed.row(large.x.rows() - 1 - row), codes.row(row)));
  }
}

TEST_P(EveryMethod, SavedModelIsTheSameModel) {
  const test::TemporaryFolder folder;
  const HashModel model = fit(data_);
  save_model(model, folder.file("model"));
  const HashModel loaded = load_model(folder.file("model"));
  EXPECT_EQ(loaded, model);
  EXPECT_EQ(encode(loaded, data_.x, 1), encode(model, data_.x, 1));
  save_model(loaded, folder.file("again"));
  EXPECT_EQ(test::read_bytes(folder.file("again")), test::read_bytes(folder.file("model")));
}

TEST_P(EveryMethod, AnyNumberOfBitsWithZeroPadding) {
  for (const Index bits : {1, 7, 64, 65, 130}) {
    SCOPED_TRACE(bits);
    if (GetParam().name == "sths" && bits >= data_.x.rows()) {  // has only so many eigenvectors
      expect_error(Errc::usage, "use fewer bits", [&] { fit(data_, {}, bits); });
      continue;
    }
    const HashModel model = fit(data_, {}, bits);
    EXPECT_EQ(model.bits(), bits);
    const CodeMatrix codes = encode(model, data_.x, 1);
    EXPECT_EQ(codes.bits(), bits);
    EXPECT_EQ(codes.rows(), data_.x.rows());
    EXPECT_NO_THROW(require_zero_padding(codes.words(), bits));
  }
  expect_error(Errc::usage, "bits", [&] { fit(data_, {}, 0); });
  expect_error(Errc::usage, "bits", [&] { fit(data_, {}, -5); });
}

/// Waves along an axis, functions inside the pieces of a graph, balls that must share a quarter of
/// the rows with each other, and bits of SDH beyond those that two classes need cannot all tell the
/// same two clusters apart: for these methods only the mean distances must be in order.
bool splits_clusters(std::string_view method) {
  constexpr std::array<std::string_view, 7> names{"sph",   "mdsh", "agh", "agh1",
                                                  "spher", "sths", "sdh"};
  return std::ranges::find(names, method) != names.end();
}

TEST_P(EveryMethod, SeparatesTwoFarClusters) {
  const TrainingSet far = gaussian_clusters(Seed{4}, {.clusters = 2, .separation = 30.0});
  const HashModel model = fit(far);
  const CodeMatrix codes = encode(model, far.x, 1);
  std::vector<double> within;
  std::vector<double> between;
  for (Index a = 0; a < codes.rows(); ++a) {
    for (Index b = 0; b < a; ++b) {
      (a % 2 == b % 2 ? within : between).push_back(distance(model, codes, a, b));
    }
  }
  const auto mean = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / to_double(std::ssize(values));
  };
  EXPECT_LT(mean(within), mean(between));
  if (!splits_clusters(GetParam().name)) {
    EXPECT_LT(std::ranges::max(within), std::ranges::min(between));
  }
}

TEST_P(EveryMethod, FitLeavesItsInputAlone) {
  const TrainingSet before = data_;
  fit(data_);
  EXPECT_EQ(data_.x, before.x);
  EXPECT_EQ(data_.labels.classes, before.labels.classes);
  ASSERT_EQ(data_.lists.size(), before.lists.size());
  for (std::size_t i = 0; i < data_.lists.size(); ++i) {
    EXPECT_EQ(data_.lists[i].relevant, before.lists[i].relevant);
    EXPECT_EQ(data_.lists[i].irrelevant, before.lists[i].irrelevant);
  }
}

TEST_P(EveryMethod, ARaisedFlagStopsTraining) {
  StopFlag stop;
  const FitContext context{.seed = Seed{7}, .threads = {2, stop}};
  const HashModel model = fit(data_, context);
  EXPECT_EQ(model, fit(data_, {.seed = Seed{7}}));  // a flag that is down changes nothing
  stop.raise();
  expect_error(Errc::interrupted, "stopped on request", [&] { fit(data_, context); });
}

TEST_P(EveryMethod, FitNamesWhatIsWrongWithTheFeatures) {
  TrainingSet bad = data_;
  bad.x(4, 2) = std::nanf("");
  expect_error(Errc::bad_data, "features: row 5, column 3 is nan", [&] { fit(bad); });
  bad.x(4, 2) = -std::numeric_limits<float>::infinity();
  expect_error(Errc::bad_data, "features: row 5, column 3 is -inf", [&] { fit(bad); });
  bad.x.resize(0, 8);
  expect_error(Errc::bad_data, "features: there are no rows", [&] { fit(bad); });
  bad.x.resize(3, 0);
  expect_error(Errc::bad_data, "features: there are no columns", [&] { fit(bad); });
}

TEST_P(EveryMethod, FitNamesWhatIsWrongWithTheSupervision) {
  TrainingSet bad = data_;
  bad.labels.classes.pop_back();
  expect_error(Errc::bad_data, "labels: there are 89 for 90 rows", [&] { fit(bad); });
  bad = data_;
  bad.lists[1].relevant = {90};
  expect_error(Errc::bad_data, "relevance list 2: row 91 does not exist; rows go from 1 to 90",
               [&] { fit(bad); });
  bad.lists[1].relevant = {};
  expect_error(Errc::bad_data, "relevance list 2 needs at least one relevant", [&] { fit(bad); });
  bad = data_;
  bad.lists[0].weight = 0.0;
  expect_error(Errc::bad_data, "relevance list 1: its weight is 0; a weight must be finite",
               [&] { fit(bad); });
}

TEST_P(EveryMethod, SupervisedMethodsNeedSupervision) {
  TrainingSet bare{.x = data_.x, .labels = {}, .lists = {}};
  TrainingSet one_class = bare;
  one_class.labels.classes.assign(static_cast<std::size_t>(bare.x.rows()), 4);
  switch (GetParam().supervision) {
    case Supervision::none:
      EXPECT_NO_THROW(fit(bare));
      EXPECT_NO_THROW(fit(one_class));
      break;
    case Supervision::labels:
      expect_error(Errc::bad_data, "labels", [&] { fit(bare); });
      expect_error(Errc::bad_data, "at least two classes", [&] { fit(one_class); });
      break;
    case Supervision::lists:
      expect_error(Errc::bad_data, "relevance lists", [&] { fit(bare); });
      expect_error(Errc::bad_data, "relevance lists", [&] { fit(one_class); });
      break;
  }
}

TEST_P(EveryMethod, EncodeNamesWhatIsWrongWithTheFeatures) {
  const HashModel model = fit(data_);
  Matrix<float> x = data_.x.topRows(3);
  x(2, 1) = std::nanf("");
  expect_error(Errc::bad_data, "features: row 3, column 2 is nan", [&] { encode(model, x, 1); });
  expect_error(Errc::bad_data, "features have 7 columns; this model expects 8",
               [&] { encode(model, data_.x.leftCols(7), 1); });
  EXPECT_EQ(encode(model, data_.x.topRows(0), 1).rows(), 0);
}

TEST_P(EveryMethod, RefusesOptionsItDoesNotHave) {
  MethodOptions options;
  options.extra.emplace("no-such-option", "1");
  expect_error(Errc::usage, "no-such-option", [&] { GetParam().make(options); });
}

TEST_P(EveryMethod, FirstBitsAreAShorterModelOrAreRefused) {
  const HashModel model = fit(data_);
  const CodeMatrix codes = encode(model, data_.x, 1);
  for (const Index bits : {1, 7, 19}) {  // of every encoder, nested or not
    EXPECT_EQ(encode(first_bits(model.encoder, bits), data_.x, 1), first_bits(codes, bits));
  }
  EXPECT_EQ(truncate(model, 20), model);
  if (!GetParam().nested) {
    expect_error(Errc::usage, "has no nested codes: its bits depend on their number",
                 [&] { truncate(model, 7); });
    return;
  }
  const HashModel first = truncate(model, 7);
  EXPECT_NO_THROW(check(first));
  EXPECT_EQ(encode(first, data_.x, 1), first_bits(codes, 7));
  EXPECT_EQ(truncate(truncate(model, 12), 7), first);
  EXPECT_EQ(first.bit_weights, std::vector<float>(model.bit_weights.empty() ? 0 : 7, 1.0F));
  EXPECT_EQ(first.mean_magnitudes.empty(), model.mean_magnitudes.empty());
  EXPECT_NE(first.parameters.find("\"truncated_from\":20"), std::string::npos);
  for (const Index bits : {0, 21, -1}) {
    expect_error(Errc::usage, "bits must be 1 to 20", [&] { truncate(model, bits); });
  }
}

TEST(NestedCodes, OfKernelFunctionsAreThoseOfAShorterTraining) {
  const TrainingSet data = gaussian_clusters(Seed{5}, {.clusters = 4, .separation = 1.5});
  const MethodEntry& method = find_method("structhash");
  const auto fit = [&](Index bits) {
    return method.make({.bits = bits})->fit(data, {.seed = Seed{3}});
  };
  const HashModel first = truncate(fit(24), 9);
  const HashModel trained = fit(9);
  EXPECT_EQ(first.encoder, trained.encoder);
  EXPECT_EQ(first.bit_weights, trained.bit_weights);
  EXPECT_EQ(first.mean_magnitudes, trained.mean_magnitudes);
}

TEST(NestedCodes, OfEveryKindOfFunction) {
  const TrainingSet data = gaussian_clusters(Seed{5}, {.clusters = 4, .separation = 1.5});
  for (const char* functions : {"linear", "kernel", "stump", "tree"}) {
    SCOPED_TRACE(functions);
    const HashModel model = find_method("structhash")
                                .make({.bits = 12, .functions = functions})
                                ->fit(data, {.seed = Seed{3}});
    EXPECT_EQ(encode(truncate(model, 5), data.x, 1), first_bits(encode(model, data.x, 1), 5));
    EXPECT_NO_THROW(check(truncate(model, 5)));
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMethod, testing::ValuesIn(methods().begin(), methods().end()),
                         test::method_name);

}  // namespace
}  // namespace structhash
