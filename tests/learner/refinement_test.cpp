#include "learner/refinement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learner/structhash.hpp"
#include "learner/tiny_clusters.hpp"
#include "ranking/training_loss.hpp"

namespace structhash {
namespace {

/// Overlapping clusters, their features and a code learned bit by bit.
struct Learned {
  explicit Learned(const TrainingSet& data, int threads = 1)
      : space(data.x, Shards(data.x.rows()), threads),
        family(space, {}, {}, threads),
        lists(data.lists, *make_training_measure("map", {}), data.x.rows()),
        code(learn(lists, family, {.bits = 12}, {.seed = Seed{3}, .threads = threads})) {}

  ResponseSpace space;
  WhitenedFamily family;
  ListTable lists;
  LearnedCode code;
};

const std::vector<float> kEqual(12, 1.0F);

/// The slow twin of the loss, without its penalty: every pair of every list, in double.
double loss_of(const LearnedCode& code, const TrainingSet& data, const HalfMatrix& z,
               const RefinementParams& params) {
  Matrix<double> codes(data.x.rows(), std::ssize(code.bits));
  for (Index b = 0; b < codes.cols(); ++b) {
    const auto& function =
        std::get<LinearFunction>(code.bits[static_cast<std::size_t>(b)].function);
    const Matrix<float> direction = function.direction.cast<float>();
    Vector<double> values = z.times({0, z.rows()}, direction, 1).cast<double>();
    values.array() += function.offset;
    codes.col(b) = values.array().tanh();
  }
  double sum = 0.0;
  for (int part = 1; part <= params.lengths; ++part) {
    const Index bits = codes.cols() * part / params.lengths;
    const Matrix<double> first = codes.leftCols(bits);
    for (const RelevanceList& list : data.lists) {
      double of_list = 0.0;
      for (const Index j : list.relevant) {
        for (const Index k : list.irrelevant) {
          const double gap =
              first.row(list.query).dot(first.row(k) - first.row(j)) / static_cast<double>(bits);
          of_list += std::log1p(std::exp(params.slope * (gap + params.margin)));
        }
      }
      sum += of_list / static_cast<double>(list.relevant.size() * list.irrelevant.size());
    }
  }
  return sum / static_cast<double>(data.lists.size()) / params.lengths;
}

TEST(Refinement, LowersTheLossAndNeverTheObjective) {
  const TrainingSet data = clusters();
  const Learned learned(data);
  const RefinementParams params{};
  const LearnedCode refined =
      refine(learned.code, learned.lists, learned.family, kEqual, params, 1);
  ASSERT_TRUE(refined.refined);
  // From functions of unit mean square, which one iteration hardly leaves.
  const LearnedCode begun =
      refine(learned.code, learned.lists, learned.family, kEqual, {.iterations = 1}, 1);
  const HalfMatrix& z = learned.family.features();
  EXPECT_LT(loss_of(refined, data, z, params), 0.8 * loss_of(begun, data, z, params));
  EXPECT_EQ(refined.weights, learned.code.weights);
  EXPECT_EQ(refined.bits.size(), learned.code.bits.size());
}

/// The gradient is right where L-BFGS ends: no small step along any axis tried lowers the value.
void expect_flat(int lengths) {
  const TrainingSet data = clusters();
  const Learned learned(data);
  const RefinementParams params{.iterations = 2000, .lengths = lengths, .distance = 0.0};
  LearnedCode refined = refine(learned.code, learned.lists, learned.family, kEqual, params, 1);
  ASSERT_TRUE(refined.refined);
  const HalfMatrix& z = learned.family.features();
  const double least = loss_of(refined, data, z, params);
  for (const std::size_t bit : {0UL, 5UL, 11UL}) {
    auto& function = std::get<LinearFunction>(refined.bits[bit].function);
    for (const Index axis : {0, 1, 4}) {
      for (const double step : {-0.05, 0.05}) {
        function.direction(axis) += step;
        EXPECT_GT(loss_of(refined, data, z, params), least - 1e-4) << bit << " " << axis;
        function.direction(axis) -= step;
      }
    }
  }
}

TEST(Refinement, EndsWhereTheSlowLossIsFlat) {
  expect_flat(1);
}

TEST(Refinement, OfSeveralLengthsEndsWhereTheirMeanIsFlat) {
  expect_flat(3);
  expect_flat(5);  // 2, 4, 7, 9 and 12 bits
}

/// The weights of long codes are fitted to the functions as they were: by them hardly any change
/// would pay.  Codes are compared by other weights, so that those of the code do not matter.
TEST(Refinement, IsJudgedByTheDistanceOfTheModel) {
  const Learned learned(clusters());
  for (std::size_t bit = 0; bit < learned.code.bits.size(); ++bit) {
    LearnedCode code = learned.code;
    std::ranges::fill(code.weights, 0.0);
    code.weights[bit] =
        std::accumulate(learned.code.weights.begin(), learned.code.weights.end(), 0.0);
    code = refine(std::move(code), learned.lists, learned.family, kEqual, {.iterations = 10}, 1);
    EXPECT_TRUE(code.refined) << bit;
  }
}

TEST(Refinement, SameBytesOnAnyThreads) {
  const TrainingSet data = clusters(150);
  const Learned learned(data);
  const auto functions = [&](int threads) {
    const LearnedCode refined =
        refine(learned.code, learned.lists, learned.family, kEqual, {.iterations = 5}, threads);
    return std::get<LinearFunction>(refined.bits[3].function).direction;
  };
  EXPECT_EQ(functions(1), functions(3));
}

TEST(Refinement, NoIterationsLeaveTheCodeAsItIs) {
  const TrainingSet data = clusters();
  const Learned learned(data);
  const LearnedCode same =
      refine(learned.code, learned.lists, learned.family, kEqual, {.iterations = 0}, 1);
  EXPECT_FALSE(same.refined);
  EXPECT_EQ(same.bits[0].signs, learned.code.bits[0].signs);
  EXPECT_THROW(refine(learned.code, learned.lists, learned.family, kEqual, {.iterations = -1}, 1),
               Error);
}

/// By default linear functions that learn from labels are refined, kernel functions are not.
TEST(Refinement, IsADefaultWhereFunctionsDoNotFitTheLists) {
  const TrainingTraits labelled{.rows = 2000, .labelled = true, .classes = true};
  const TrainingTraits judged{.rows = 2000};
  const TrainingTraits neighbours{.rows = 2000, .neighbours = true};
  const auto refined = [](Functions functions, const TrainingTraits& traits) {
    StructHashParams params;
    params.functions = functions;
    return resolve(params, traits).refinement.iterations == RefinementParams{}.iterations;
  };
  for (const Functions functions : {Functions::linear, Functions::kernel, Functions::stump}) {
    EXPECT_EQ(refined(functions, labelled), functions == Functions::linear);
    EXPECT_EQ(refined(functions, judged), functions != Functions::stump);
    EXPECT_FALSE(refined(functions, neighbours));
  }
  EXPECT_EQ(resolve(params_of(Preset::paper), labelled).refinement.iterations, 0);
}

}  // namespace
}  // namespace structhash
