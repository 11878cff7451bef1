#include "structhash/data/sparse_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <limits>

#include "data/files.hpp"
#include "structhash/data/loaders.hpp"
#include "support/expect_error.hpp"

namespace structhash {
namespace {

using test::expect_error;

/// A tenth of the entries are not zero.
Matrix<float> mostly_zero(Index rows, Index columns, Seed seed) {
  Rng rng(seed);
  Matrix<float> x = Matrix<float>::Zero(rows, columns);
  for (float& value : x.reshaped<Eigen::RowMajor>()) {
    value = rng.below(10) == 0 ? static_cast<float>(1.0 + rng.normal()) : 0.0F;
  }
  return x;
}

TEST(SparseRows, AreTheEntriesThatAreNotZero) {
  const SparseRows x = sparse_rows(Matrix<float>{{0, 2, 0}, {0, 0, 0}, {3, 0, -1}});
  EXPECT_EQ(x.dimension, 3);
  EXPECT_EQ(x.starts, (std::vector<std::int64_t>{0, 1, 1, 3}));
  EXPECT_EQ(x.columns, (std::vector<std::int32_t>{1, 0, 2}));
  EXPECT_EQ(x.values, (std::vector<float>{2, 3, -1}));
  EXPECT_NO_THROW(check(x));
  const SparseRows some = select(x, std::vector<Index>{2, 0});
  EXPECT_EQ(some.starts, (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(some.values, (std::vector<float>{3, -1, 2}));
}

TEST(SparseRows, CheckNamesRowAndColumn) {
  const SparseRows good = sparse_rows(Matrix<float>{{0, 2, 1}, {3, 0, -1}});
  SparseRows bad = good;
  bad.values[3] = std::numeric_limits<float>::infinity();
  expect_error(Errc::bad_data, "features: row 2, column 3 is inf", [&] { check(bad); });
  bad = good;
  std::swap(bad.columns[0], bad.columns[1]);
  expect_error(Errc::bad_data, "row 1: found column 2; columns must ascend", [&] { check(bad); });
  bad = good;
  bad.columns[1] = 3;
  expect_error(Errc::bad_data, "found column 4", [&] { check(bad); });
  for (const auto& starts :
       {std::vector<std::int64_t>{0, 2}, {1, 2, 4}, {0, 5, 4}, std::vector<std::int64_t>{}}) {
    bad = good;
    bad.starts = starts;
    expect_error(Errc::bad_data, "do not agree", [&] { check(bad); });
  }
}

/// The slow twin: singular vectors of the dense rows in double precision.
TEST(SparseProjection, KeepsAsMuchAsTheSingularVectors) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{60, 200}, {200, 60}, {5, 300}}) {
    const Matrix<float> x = mostly_zero(rows, columns, Seed{1});
    const SparseProjection found = fit_projection(sparse_rows(x), 12, Seed{2}, 2);
    const Eigen::BDCSVD<Eigen::MatrixXd> svd(x.cast<double>(), Eigen::ComputeThinV);
    const Index kept = std::min<Index>(12, std::min(rows, columns));
    ASSERT_EQ(found.outputs(), kept);
    ASSERT_EQ(found.inputs(), columns);
    const Matrix<double> z = x.cast<double>() * found.directions.cast<double>();
    for (Index i = 0; i < kept; ++i) {
      const double exact = svd.singularValues()(i);
      EXPECT_NEAR(z.col(i).norm(), exact, 0.01 * exact) << i;
    }
    const Matrix<double> inner =
        found.directions.cast<double>().transpose() * found.directions.cast<double>();
    EXPECT_LT((inner - Matrix<double>::Identity(kept, kept)).norm(), 1e-3);
    const Matrix<float> projected = project(found, sparse_rows(x), 2);
    EXPECT_LT((projected.cast<double>() - z).norm(), 1e-5 * z.norm());
  }
}

TEST(SparseProjection, IsTheSameForAnyNumberOfThreadsAndRows) {
  const SparseRows x = sparse_rows(mostly_zero(300, 500, Seed{3}));
  const SparseProjection one = fit_projection(x, 20, Seed{2}, 1);
  EXPECT_EQ(one, fit_projection(x, 20, Seed{2}, 2));
  EXPECT_FALSE(one == fit_projection(x, 19, Seed{2}, 1));
  const Matrix<float> all = project(one, x, 2);
  for (const Index row : {0, 7, 299}) {
    EXPECT_EQ(project(one, select(x, std::vector{row}), 1).row(0), all.row(row));
  }
}

TEST(SparseProjection, RefusesWhatItCannotLearnFrom) {
  const SparseRows x = sparse_rows(mostly_zero(20, 30, Seed{4}));
  expect_error(Errc::usage, "components must be at least 1",
               [&] { fit_projection(x, 0, Seed{1}, 1); });
  expect_error(Errc::bad_data, "all are zero",
               [&] { fit_projection(sparse_rows(Matrix<float>::Zero(3, 4)), 2, Seed{1}, 1); });
  const SparseProjection projection = fit_projection(x, 5, Seed{1}, 1);
  SparseRows wider = x;
  wider.dimension = 31;
  expect_error(Errc::bad_data, "features have 31 columns; this model expects 30",
               [&] { project(projection, wider, 1); });
  EXPECT_EQ(project(projection, select(x, {}), 1).rows(), 0);
  // Rows that repeat have fewer directions than asked for.
  const std::vector<Index> repeated{0, 0, 1, 1, 0};
  EXPECT_EQ(fit_projection(select(x, repeated), 5, Seed{1}, 1).outputs(), 2);
}

TEST(SparseFiles, AreReadLikeDenseOnes) {
  const test::TempFolder folder;
  folder.write("a.svm", "1 2:0.5 7:2\n0 1:1\n");
  folder.write("b.svm", "1\n0 3:4 8:-1\n");
  const std::vector<std::string> files{folder.path("a.svm"), folder.path("b.svm")};
  const SparseRows x = load_sparse_features(files);
  EXPECT_EQ(x.dimension, 8);
  const SparseRows dense = sparse_rows(load_features(files));
  EXPECT_EQ(x.starts, dense.starts);
  EXPECT_EQ(x.columns, dense.columns);
  EXPECT_EQ(x.values, dense.values);
  const SparseProjection projection = fit_projection(x, 3, Seed{1}, 1);
  const auto reader = open_projected(files, {}, projection);
  EXPECT_EQ(reader->rows(), 4);
  EXPECT_EQ(reader->dimension(), 3);
  Matrix<float> all(4, 3);
  Matrix<float> block;
  ASSERT_EQ(reader->read(3, block), 3);
  all.topRows(3) = block;
  ASSERT_EQ(reader->read(3, block), 1);
  all.bottomRows(1) = block;
  EXPECT_EQ(reader->read(3, block), 0);
  EXPECT_EQ(all, project(projection, x, 1));
}

TEST(SparseFiles, OtherFilesAreRefused) {
  const test::TempFolder folder;
  folder.write("x.csv", "1,2\n3,4\n");
  expect_error(Errc::bad_data, "x.csv: sparse features are read from libsvm files",
               [&] { load_sparse_features(std::vector{folder.path("x.csv")}); });
  folder.write("nan.svm", "1 1:1\n0 2:nan\n");
  expect_error(Errc::bad_data, "line 2",
               [&] { load_sparse_features(std::vector{folder.path("nan.svm")}); });
  folder.write("wide.svm", "1 9:1\n0 2:1\n");
  const SparseProjection narrow{Matrix<float>::Ones(8, 2)};
  expect_error(Errc::bad_data, "wide.svm: has 9 columns, expected 8",
               [&] { open_projected(std::vector{folder.path("wide.svm")}, {}, narrow); });
}

}  // namespace
}  // namespace structhash
