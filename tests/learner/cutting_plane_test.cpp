#include "learner/cutting_plane.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "hashing/pair_form.hpp"
#include "learner/tiny_lists.hpp"
#include "ranking/training_gains.hpp"
#include "reference/most_violated.hpp"

namespace structhash {
namespace {

using reference::Interleaving;
using reference::loss;
using reference::most_violated;

struct Instance {
  std::vector<RelevanceList> lists;
  CodeMatrix codes;
  std::vector<double> weights;
};

Instance random_instance(Index rows, Index bits, Index relevant, Index irrelevant,
                         std::uint64_t seed) {
  Instance instance{random_lists(rows, relevant, irrelevant, seed), CodeMatrix(rows, bits), {}};
  Rng rng(Seed{seed}.fork("bits"));
  for (Index b = 0; b < bits; ++b) {
    // Multiples of 1/64 add up without rounding: ties are ties in float and in double.
    instance.weights.push_back(std::floor(64.0 * rng.uniform()) / 64.0);
    for (Index row = 0; row < rows; ++row) {
      instance.codes.set(row, b, rng.uniform() < 0.5);
    }
  }
  return instance;
}

Index count_of(const CuttingPlane& plane, Index pair) {
  const auto at = static_cast<std::size_t>(pair);
  return plane.low[at] + (plane.high.empty() ? 0 : 256 * plane.high[at]);
}

double weighted_distance(const Instance& instance, Index a, Index b) {
  double sum = 0.0;
  for (Index bit = 0; bit < instance.codes.bits(); ++bit) {
    sum += instance.codes.bit(a, bit) != instance.codes.bit(b, bit)
               ? instance.weights[static_cast<std::size_t>(bit)]
               : 0.0;
  }
  return sum;
}

/// Calls use(list, pair, query, item, is relevant).
template <typename Use>
void for_each_pair(const ListTable& table, const Use& use) {
  for (const ListChunk& chunk : table.chunks()) {
    for (Index list = 0; list < chunk.lists; ++list) {
      for (Index l = 0; l < chunk.items(); ++l) {
        const Index pair = chunk.first_pair + list * chunk.items() + l;
        use(chunk.first_list + list, pair,
            table.queries()[static_cast<std::size_t>(chunk.first_list + list)],
            table.items()[static_cast<std::size_t>(pair)], l < chunk.relevant);
      }
    }
  }
}

class EveryShape : public testing::TestWithParam<std::tuple<Index, Index, Index>> {};

/// docs/methods.md A.15, 4:  G . w = - sum_lists weight sum_l a_l d(i, l), from codes alone; and
/// the mean augmented loss is that of the scalar oracle, list by list.
TEST_P(EveryShape, PlaneAgreesWithTheScalarOracle) {
  const auto [bits, relevant, irrelevant] = GetParam();
  const Instance instance = random_instance(700, bits, relevant, irrelevant, 3);
  const auto measure = make_measure("ndcg@10");
  const ListTable table(instance.lists, *measure, 700);
  const ViolatedPlane found = most_violated_plane(table, instance.codes, instance.weights, 2);
  double margin = 0.0;
  for_each_pair(table, [&](Index list, Index pair, Index query, Index item, bool is_relevant) {
    const double a = table.inversion_scales()[static_cast<std::size_t>(list)] *
                     to_double(count_of(found.plane, pair)) * (is_relevant ? 1.0 : -1.0);
    margin -= a * weighted_distance(instance, query, item);
  });
  EXPECT_NEAR(std::inner_product(instance.weights.begin(), instance.weights.end(),
                                 found.coefficients.begin(), 0.0),
              margin, 1e-9);
  double expected = 0.0;  // mean over lists of max_y loss(y) - w . delta psi(y)
  for (const RelevanceList& list : instance.lists) {
    const auto sorted = [&](const std::vector<Index>& items) {
      Vector<double> distances(std::ssize(items));
      for (std::size_t i = 0; i < items.size(); ++i) {
        distances(static_cast<Index>(i)) = weighted_distance(instance, list.query, items[i]);
      }
      std::sort(distances.begin(), distances.end());
      return distances;
    };
    const Vector<double> d = sorted(list.relevant);
    const Vector<double> e = sorted(list.irrelevant);
    const GainTable gains(*measure, d.size(), e.size());
    const Interleaving worst = most_violated(gains, d, e);
    double augmented = loss(gains, worst);
    for (Index j = 0; j < d.size(); ++j) {
      for (Index k = 0; k < worst.before(j); ++k) {
        augmented += 2.0 / to_double(d.size() * e.size()) * (d(j) - e(k));
      }
    }
    expected += augmented / 700.0;
  }
  EXPECT_NEAR(found.plane.loss - margin, expected, 1e-5);  // distances are floats in the kernel
}

TEST_P(EveryShape, NewBitAddsTheCoefficientOfAFreshPass) {
  const auto [bits, relevant, irrelevant] = GetParam();
  const Instance instance = random_instance(700, bits, relevant, irrelevant, 4);
  const auto measure = make_measure("map");
  const ListTable table(instance.lists, *measure, 700);
  const ViolatedPlane found = most_violated_plane(table, instance.codes, instance.weights, 1);
  const std::vector<CuttingPlane> planes{found.plane};
  for (Index b = 0; b < bits; ++b) {
    std::vector<std::int8_t> signs;
    for (Index row = 0; row < 700; ++row) {
      signs.push_back(instance.codes.bit(row, b) ? std::int8_t{1} : std::int8_t{-1});
    }
    EXPECT_NEAR(bit_coefficients(table, planes, signs, 2)[0],
                found.coefficients[static_cast<std::size_t>(b)], 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryShape,
                         testing::Values(std::tuple{1, 1, 1}, std::tuple{7, 3, 5},
                                         std::tuple{64, 20, 30}, std::tuple{70, 5, 300},
                                         std::tuple{130, 290, 17}));

/// docs/methods.md A.15, 5: the pair form equals Eq. (15) summed over explicit triplets.
TEST(PairWeights, CollapseEqualsTheTripletSum) {
  const Instance instance = random_instance(40, 6, 4, 5, 5);
  const auto measure = make_measure("ndcg@4");
  const ListTable table(instance.lists, *measure, 40);
  std::vector<CuttingPlane> planes;
  const std::vector<double> duals{0.7, 0.0, 1.9};
  double expected = 0.0;
  const auto signs = random_signs(40, 6);
  const auto differs = [&](Index a, Index b) {
    return signs[static_cast<std::size_t>(a)] != signs[static_cast<std::size_t>(b)] ? 1.0 : 0.0;
  };
  for (std::size_t t = 0; t < duals.size(); ++t) {
    std::vector<double> weights = instance.weights;
    weights[t] += 1.0;
    planes.push_back(most_violated_plane(table, instance.codes, weights, 1).plane);
    for (const RelevanceList& list : instance.lists) {
      Instance at = instance;
      at.weights = weights;
      const auto by_distance = [&](Index a, Index b) {
        const double x = weighted_distance(at, list.query, a);
        const double y = weighted_distance(at, list.query, b);
        return x < y;
      };
      std::vector<Index> relevant = list.relevant;
      std::vector<Index> irrelevant = list.irrelevant;
      std::stable_sort(relevant.begin(), relevant.end(), by_distance);
      std::stable_sort(irrelevant.begin(), irrelevant.end(), by_distance);
      Vector<double> d(4);
      Vector<double> e(5);
      for (Index i = 0; i < 4; ++i) {
        d(i) = weighted_distance(at, list.query, relevant[static_cast<std::size_t>(i)]);
      }
      for (Index i = 0; i < 5; ++i) {
        e(i) = weighted_distance(at, list.query, irrelevant[static_cast<std::size_t>(i)]);
      }
      const Interleaving worst = most_violated(GainTable(*measure, 4, 5), d, e);
      for (std::size_t j = 0; j < 4; ++j) {  // mu of Eq. (16), with the mean over 40 lists
        for (Index k = 0; k < worst.before(static_cast<Index>(j)); ++k) {
          expected += duals[t] * 2.0 / (4.0 * 5.0) / 40.0 *
                      (differs(list.query, irrelevant[static_cast<std::size_t>(k)]) -
                       differs(list.query, relevant[j]));
        }
      }
    }
  }
  std::vector<std::int32_t> left;
  for_each_pair(table, [&](Index, Index, Index query, Index, bool) {
    left.push_back(static_cast<std::int32_t>(query));
  });
  PairForm form(40, left, table.items());
  const std::vector<float> weights = pair_weights(table, planes, duals, 2);
  form.set_weights(weights, 2);
  const std::vector<float> s(signs.begin(), signs.end());
  EXPECT_NEAR(form.value(s, 1), expected, 1e-6);
  EXPECT_NEAR(pair_objective(table, weights, signs, 2), expected, 1e-6);
}

TEST(CuttingPlane, SameBytesForAnyNumberOfThreads) {
  const Instance instance = random_instance(600, 40, 10, 12, 7);
  const auto measure = make_measure("map");
  const ListTable table(instance.lists, *measure, 600);
  const ViolatedPlane one = most_violated_plane(table, instance.codes, instance.weights, 1);
  for (const int threads : {2, 4}) {
    const ViolatedPlane many =
        most_violated_plane(table, instance.codes, instance.weights, threads);
    EXPECT_EQ(many.plane.low, one.plane.low);
    EXPECT_EQ(many.plane.loss, one.plane.loss);
    EXPECT_EQ(many.coefficients, one.coefficients);
  }
}

}  // namespace
}  // namespace structhash
