// Yardsticks for learned codes, against the plainest way to compute them.
#include "evaluation/vector_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "evaluation/product_quantizer.hpp"
#include "structhash/core/error.hpp"
#include "support/expect_error.hpp"

namespace structhash {
namespace {

Matrix<float> random_rows_of(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(Seed{seed});
  Matrix<float> x(rows, columns);
  for (Index i = 0; i < x.size(); ++i) {
    x.data()[i] = static_cast<float>(rng.uniform() - 0.5);
  }
  return x;
}

/// Two classes around opposite points, noisy enough that nothing ranks perfectly.
RetrievalTask noisy_task() {
  RetrievalTask task;
  task.name = "noisy";
  const auto set = [](Index rows, std::uint64_t seed) {
    Dataset data{.name = "noisy", .features = random_rows_of(rows, 8, seed), .labels = {}};
    for (Index row = 0; row < rows; ++row) {
      data.labels.classes.push_back(static_cast<int>(row % 2));
      data.features.row(row).array() += row % 2 == 0 ? 0.1F : -0.1F;
    }
    return data;
  };
  task.database = set(60, 1);
  task.queries = set(9, 2);
  task.training.x = random_rows_of(300, 8, 3);
  task.truth = GroundTruth::from_labels(task.queries.labels, task.database.labels);
  task.query_text = [](Index row) { return "query " + std::to_string(row); };
  task.database_text = [](Index row) { return "item " + std::to_string(row); };
  task.shown = {4, 0};
  task.shown_items = 5;
  return task;
}

const std::vector<std::string>& two_measures() {
  static const std::vector<std::string> kNames{"precision@5", "map"};
  return kNames;
}

/// Relevant items among the five nearest, counted one by one; distances must differ.
double precision_at_5(const RetrievalTask& task, const Matrix<double>& distances) {
  double sum = 0.0;
  for (Index query = 0; query < distances.rows(); ++query) {
    for (Index item = 0; item < distances.cols(); ++item) {
      const auto nearer = (distances.row(query).array() < distances(query, item)).count();
      const bool right = Labels::related(task.queries.labels, query, task.database.labels, item);
      sum += nearer < 5 && right ? 0.2 : 0.0;
    }
  }
  return sum / to_double(distances.rows());
}

TEST(ProductQuantizer, CodesAreTheNearestCentresAndDistancesThoseToThem) {
  const Matrix<float> x = random_rows_of(400, 6, 7);
  const ProductQuantizer quantizer(x, 3, 10, Seed{1}, 2);
  const Matrix<std::uint8_t> codes = quantizer.encode(x, 2);
  const Vector<float> query = random_rows_of(1, 6, 8).row(0);
  std::vector<double> found(400);
  quantizer.distances(query, codes, found);
  for (Index row = 0; row < x.rows(); ++row) {
    const Vector<float> stored = quantizer.decode({codes.row(row).data(), 3});
    EXPECT_NEAR(found[static_cast<std::size_t>(row)], (stored - query).squaredNorm(), 1e-5);
    for (Index part = 0; part < 3; ++part) {  // no other centre is nearer
      const auto own = x.row(row).segment(2 * part, 2);
      double nearest = std::numeric_limits<double>::infinity();
      std::vector<std::uint8_t> other{codes.row(row).begin(), codes.row(row).end()};
      for (int centre = 0; centre < 256; ++centre) {
        other[static_cast<std::size_t>(part)] = static_cast<std::uint8_t>(centre);
        const Vector<float> tried = quantizer.decode(other);
        nearest = std::min<double>(nearest,
                                   (tried.segment(2 * part, 2) - Vector<float>(own)).squaredNorm());
      }
      EXPECT_NEAR((stored.segment(2 * part, 2) - Vector<float>(own)).squaredNorm(), nearest, 1e-6);
    }
  }
}

TEST(ProductQuantizer, AsManyRowsAsCentresAreStoredExactly) {
  const Matrix<float> x = random_rows_of(256, 4, 5);
  const ProductQuantizer quantizer(x, 1, 5, Seed{2}, 1);
  const Matrix<std::uint8_t> codes = quantizer.encode(x, 1);
  for (Index row = 0; row < x.rows(); ++row) {
    EXPECT_EQ(quantizer.decode({codes.row(row).data(), 1}), Vector<float>(x.row(row)));
  }
}

TEST(ProductQuantizer, RefusesWhatItCannotCut) {
  const Matrix<float> x = random_rows_of(300, 6, 7);
  test::expect_error(Errc::usage, "6 columns cannot be cut into 4 equal parts",
                     [&] { ProductQuantizer(x, 4, 5, Seed{1}, 1); });
  test::expect_error(Errc::usage, "needs 256 rows or more, got 255",
                     [&] { ProductQuantizer(x.topRows(255), 3, 5, Seed{1}, 1); });
  const ProductQuantizer quantizer(x, 3, 5, Seed{1}, 1);
  test::expect_error(Errc::usage, "vectors of 6 columns are needed, got 5",
                     [&] { quantizer.encode(x.leftCols(5), 1); });
}

TEST(VectorRows, CosineIsThatOfTheVectors) {
  const RetrievalTask task = noisy_task();
  const auto [row, details] = cosine_row(task, two_measures(), {.seed = Seed{3}, .threads = 2});
  Matrix<double> distances(9, 60);
  for (Index query = 0; query < 9; ++query) {
    for (Index item = 0; item < 60; ++item) {
      const auto a = task.queries.features.row(query).cast<double>();
      const auto b = task.database.features.row(item).cast<double>();
      distances(query, item) = -a.dot(b) / (a.norm() * b.norm());
    }
  }
  EXPECT_EQ(row.dataset, "noisy");
  EXPECT_EQ(row.bits, 8 * 32);
  EXPECT_TRUE(row.fixed_size);
  EXPECT_NEAR(row.measures[0].second, precision_at_5(task, distances), 1e-9);
  EXPECT_EQ(details->per_query.at("map").size(), 9U);

  ASSERT_EQ(details->strips.size(), 2U);
  EXPECT_EQ(details->strips[0].query_text, "query 4");
  EXPECT_EQ(details->strips[0].query_label, "0");
  ASSERT_EQ(details->strips[0].items.size(), 5U);
  Index nearest = 0;
  distances.row(4).minCoeff(&nearest);
  EXPECT_EQ(details->strips[0].items[0].text, "item " + std::to_string(nearest));
  EXPECT_EQ(details->strips[0].items[0].relevant, nearest % 2 == 0);
}

TEST(VectorRows, SignsAreComparedBitByBit) {
  const RetrievalTask task = noisy_task();
  const auto [row, details] = sign_row(task, two_measures(), {.seed = Seed{3}, .threads = 1});
  EXPECT_EQ(row.bits, 8);
  EXPECT_EQ(row.distance, "hamming");
  EXPECT_TRUE(row.fixed_size);
  Matrix<double> distances(9, 60);
  for (Index query = 0; query < 9; ++query) {
    for (Index item = 0; item < 60; ++item) {
      distances(query, item) =
          to_double((task.queries.features.row(query).array() > 0.0F)
                        .cwiseNotEqual(task.database.features.row(item).array() > 0.0F)
                        .count());
    }
  }
  const Evaluation wanted =
      evaluate_distances(distances.cast<float>(), task.truth, two_measures(), {});
  EXPECT_NEAR(row.measures[1].second, wanted.means[1], 1e-9);
  EXPECT_EQ(details->strips.size(), 2U);
}

TEST(VectorRows, TheQuantiserIsNearTheVectors) {
  RetrievalTask task = noisy_task();
  task.shown.clear();
  const auto [row, details] =
      quantiser_row(task, 4, two_measures(), {.seed = Seed{3}, .threads = 1});
  EXPECT_EQ(row.bits, 32);
  EXPECT_TRUE(row.fixed_size);
  EXPECT_TRUE(details->strips.empty());
  const auto exact = cosine_row(task, two_measures(), {.seed = Seed{3}, .threads = 1});
  EXPECT_NEAR(row.measures[1].second, exact.row.measures[1].second, 0.05);
  test::expect_error(Errc::usage, "8 columns cannot be cut into 3 equal parts",
                     [&] { quantiser_row(task, 3, two_measures(), {}); });
}

}  // namespace
}  // namespace structhash
