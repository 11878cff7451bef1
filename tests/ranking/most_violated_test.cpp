#include "reference/most_violated.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "ranking/training_gains.hpp"
#include "structhash/core/error.hpp"
#include "support/places.hpp"
#include "support/ranking_brute_force.hpp"

namespace structhash {
namespace {

using reference::Interleaving;
using reference::most_violated;
using reference::most_violated_programme;

struct GoldenCase {
  std::string measure;
  test::DistanceLists lists;
  double maximum = 0.0;
  Vector<Index> counts;  // empty when several rankings reach the maximum
};

template <typename T>
Vector<T> parse(const std::string& field) {
  std::istringstream in(field);
  std::vector<T> values;
  for (T value; in >> value;) {
    values.push_back(value);
  }
  return Eigen::Map<Vector<T>>(values.data(), std::ssize(values));
}

// tests/golden/oracle_cases.txt: exhaustive search by scripts/make_oracle_cases.py.
std::vector<GoldenCase> golden_cases() {
  std::ifstream file(test::in_repository("tests/golden/oracle_cases.txt"));
  std::vector<GoldenCase> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') {
      continue;
    }
    std::istringstream in(line);
    std::string fields[5];
    for (std::string& field : fields) {
      std::getline(in, field, '|');
    }
    GoldenCase golden;
    std::istringstream(fields[0]) >> golden.measure;
    golden.lists = {parse<double>(fields[1]), parse<double>(fields[2])};
    golden.maximum = std::stod(fields[3]);
    golden.counts = parse<Index>(fields[4]);
    cases.push_back(golden);
  }
  return cases;
}

TEST(MostViolated, ReachesExhaustiveSearch) {
  const auto cases = golden_cases();
  ASSERT_EQ(cases.size(), 200U);
  int unique = 0;
  for (const GoldenCase& golden : cases) {
    SCOPED_TRACE(golden.measure);
    const auto& [relevant, irrelevant] = golden.lists;
    const GainTable gains(*make_measure(golden.measure), relevant.size(), irrelevant.size());
    for (const Interleaving& worst : {most_violated(gains, relevant, irrelevant),
                                      most_violated_programme(gains, relevant, irrelevant)}) {
      double margin = 0.0;
      for (Index j = 0; j < relevant.size(); ++j) {
        for (Index k = 0; k < worst.before(j); ++k) {
          margin += relevant(j) - irrelevant(k);
        }
      }
      const double pair = 2.0 / to_double(relevant.size() * irrelevant.size());
      ASSERT_NEAR(loss(gains, worst) + pair * margin, golden.maximum, 1e-12);
      if (golden.counts.size() > 0) {
        ++unique;
        ASSERT_EQ(worst.before, golden.counts);
      }
    }
  }
  EXPECT_GT(unique, 100);
}

TEST(MostViolated, HandWorkedExample) {
  // One relevant item at 1, irrelevant ones at 0.5 and 3, reciprocal rank.  Counts 0, 1, 2 are
  // worth loss 0, 1/2, 2/3 and margin (2/2) * (0, 0.5, 0.5 - 2): 0, 1, -5/6.  So i = 1.
  const GainTable gains(*make_measure("mrr"), 1, 2);
  const Interleaving worst =
      most_violated(gains, Vector<double>{{1.0}}, Vector<double>{{0.5, 3.0}});
  EXPECT_EQ(worst.before, (Vector<Index>{{1}}));
}

TEST(MostViolated, EqualDistancesTieTowardsMoreIrrelevantItemsFirst) {
  // All distances 0.3: no margin anywhere, so every measure is worst with all irrelevant first, and
  // below the cut-off the tie goes to the larger count.
  const GainTable gains(*make_measure("precision@2"), 7, 9);
  const Vector<double> relevant = Vector<double>::Constant(7, static_cast<double>(0.3F));
  const Vector<double> irrelevant = Vector<double>::Constant(9, static_cast<double>(0.3F));
  EXPECT_EQ(most_violated(gains, relevant, irrelevant).before, (Vector<Index>::Constant(7, 9)));
}

TEST(MostViolated, LossOfAucIsTheShareOfInvertedPairs) {
  const GainTable gains(*make_measure("auc"), 2, 2);
  // thresholds d + 1/2 = 0.5, 1.5 against 0.4, 1.5 (a tie, which is inverted): 1 + 2 of 4 pairs.
  const Interleaving worst =
      most_violated(gains, Vector<double>{{0.0, 1.0}}, Vector<double>{{0.4, 1.5}});
  EXPECT_EQ(worst.before, (Vector<Index>{{1, 2}}));
  EXPECT_DOUBLE_EQ(loss(gains, worst), 0.75);
}

TEST(MostViolated, RefusesWrongInput) {
  for (const char* measure : {"auc", "map"}) {
    const GainTable gains(*make_measure(measure), 2, 2);
    const Vector<double> good{{0.0, 1.0}};
    EXPECT_NO_THROW(most_violated(gains, good, good));
    EXPECT_THROW(most_violated(gains, Vector<double>{{0.0}}, good), Error);
    EXPECT_THROW(most_violated(gains, good, Vector<double>{{0.0, 1.0, 2.0}}), Error);
    EXPECT_THROW(most_violated(gains, Vector<double>{{1.0, 0.0}}, good), Error);
    EXPECT_THROW(most_violated(gains, good, Vector<double>{{1.0, 0.0}}), Error);
    EXPECT_THROW(
        most_violated(gains, good, Vector<double>{{0.0, std::numeric_limits<double>::infinity()}}),
        Error);
  }
}

}  // namespace
}  // namespace structhash
