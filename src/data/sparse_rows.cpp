#include "structhash/data/sparse_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "core/decompositions.hpp"
#include "core/linalg.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kRowsPerProduct = 64;  // rows of a product one task computes
constexpr Index kOversampling = 10;    // directions beyond those that are kept
constexpr int kPowerSteps = 4;         // sharpen the subspace where singular values fall slowly
constexpr double kMinShare = 1e-6;     // of the largest squared singular value; below is rounding

void ensure(bool condition, const std::string& message) {
  if (!condition) {
    fail(Errc::bad_data, message);
  }
}

std::span<const std::int32_t> columns_of(const SparseRows& x, Index row) {
  const auto i = static_cast<std::size_t>(row);
  return std::span(x.columns).subspan(static_cast<std::size_t>(x.starts[i]),
                                      static_cast<std::size_t>(x.starts[i + 1] - x.starts[i]));
}

std::span<const float> values_of(const SparseRows& x, Index row) {
  const auto i = static_cast<std::size_t>(row);
  return std::span(x.values).subspan(static_cast<std::size_t>(x.starts[i]),
                                     static_cast<std::size_t>(x.starts[i + 1] - x.starts[i]));
}

/// x b, summed in double in the order of the columns: a row depends on its entries alone, and
/// products of two floats are exact, so the result is the same on every processor.
Matrix<float> product(const SparseRows& x, const Matrix<float>& b, Threads threads) {
  Matrix<float> result(x.rows(), b.cols());
  parallel_for(x.rows(), threads, kRowsPerProduct, [&](Index begin, Index end) {
    Eigen::RowVectorXd sum(b.cols());
    for (Index row = begin; row < end; ++row) {
      const auto columns = columns_of(x, row);
      const auto values = values_of(x, row);
      sum.setZero();
      for (std::size_t k = 0; k < columns.size(); ++k) {
        sum += static_cast<double>(values[k]) * b.row(columns[k]).cast<double>();
      }
      result.row(row) = sum.cast<float>();
    }
  });
  return result;
}

SparseRows transposed(const SparseRows& x) {
  SparseRows t{.dimension = x.rows()};
  t.starts.assign(static_cast<std::size_t>(x.dimension) + 1, 0);
  for (const std::int32_t column : x.columns) {
    ++t.starts[static_cast<std::size_t>(column) + 1];
  }
  for (std::size_t column = 1; column < t.starts.size(); ++column) {
    t.starts[column] += t.starts[column - 1];
  }
  t.columns.resize(x.columns.size());
  t.values.resize(x.values.size());
  std::vector<std::int64_t> next(t.starts.begin(), t.starts.end() - 1);
  for (Index row = 0; row < x.rows(); ++row) {
    const auto columns = columns_of(x, row);
    const auto values = values_of(x, row);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(columns[k])]++);
      t.columns[to] = static_cast<std::int32_t>(row);
      t.values[to] = values[k];
    }
  }
  return t;
}

Matrix<float> orthonormal(const Matrix<float>& a) {
  return orthonormal_basis(a.cast<double>()).cast<float>();
}

Matrix<float> random_matrix(Index rows, Index columns, Seed seed) {
  Rng rng(seed);
  Matrix<float> random(rows, columns);
  for (float& value : random.reshaped<Eigen::RowMajor>()) {
    value = static_cast<float>(rng.normal());
  }
  return random;
}

}  // namespace

void check(const SparseRows& x) {
  const auto entries = static_cast<std::int64_t>(x.columns.size());
  const bool sizes = x.dimension >= 1 && x.dimension <= INT32_MAX &&
                     x.values.size() == x.columns.size() && !x.starts.empty() &&
                     x.starts.front() == 0 && x.starts.back() == entries &&
                     std::ranges::is_sorted(x.starts);
  ensure(sizes, "sparse features: the starts of the rows, columns and values do not agree");
  for (Index row = 0; row < x.rows(); ++row) {
    const auto columns = columns_of(x, row);
    const auto values = values_of(x, row);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      ensure(columns[k] > (k > 0 ? columns[k - 1] : -1) && columns[k] < x.dimension,
             fmt::format("sparse features: row {}: found column {}; columns must ascend from 1 to "
                         "{}, each at most once",
                         row + 1, columns[k] + 1, x.dimension));
      ensure(std::isfinite(values[k]),
             fmt::format("features: row {}, column {} is {}; values must be finite", row + 1,
                         columns[k] + 1, values[k]));
    }
  }
}

SparseRows sparse_rows(const MatrixView& x) {
  SparseRows rows{.dimension = x.cols()};
  for (Index row = 0; row < x.rows(); ++row) {
    for (Index column = 0; column < x.cols(); ++column) {
      if (x(row, column) != 0.0F) {
        rows.columns.push_back(static_cast<std::int32_t>(column));
        rows.values.push_back(x(row, column));
      }
    }
    rows.starts.push_back(std::ssize(rows.columns));
  }
  return rows;
}

SparseRows select(const SparseRows& x, std::span<const Index> rows) {
  SparseRows chosen{.dimension = x.dimension};
  for (const Index row : rows) {
    std::ranges::copy(columns_of(x, row), std::back_inserter(chosen.columns));
    std::ranges::copy(values_of(x, row), std::back_inserter(chosen.values));
    chosen.starts.push_back(std::ssize(chosen.columns));
  }
  return chosen;
}

bool SparseProjection::operator==(const SparseProjection& other) const {
  return directions.rows() == other.directions.rows() &&
         directions.cols() == other.directions.cols() && directions == other.directions;
}

/// Q spans the range of (A A')^q A W for a random W; with B = Q' A and B B' = U diag(s^2) U', the
/// right singular vectors are  B' U diag(1 / s).
SparseProjection fit_projection(const SparseRows& x, Index components, Seed seed, Threads threads) {
  require(components >= 1, fmt::format("components must be at least 1, got {}", components));
  check(x);
  ensure(x.rows() >= 1 && !x.values.empty(),
         "features: all are zero; there is nothing to learn from");
  const Index width = std::min({components + kOversampling, x.rows(), x.dimension});
  const SparseRows t = transposed(x);
  Matrix<float> range =
      orthonormal(product(x, random_matrix(x.dimension, width, seed.fork("range")), threads));
  for (int step = 0; step < kPowerSteps; ++step) {
    threads.stop_if_asked();
    range = orthonormal(product(x, product(t, range, threads), threads));
  }
  const Matrix<float> image = product(t, range, threads);  // B'
  LeadingEigenPairs pairs = leading_eigen(gram(image, threads), kMinShare, threads);
  ensure(pairs.values.size() > 0, "features: all are zero; there is nothing to learn from");
  const Index kept = std::min(components, pairs.values.size());
  const Vector<float> scales = pairs.values.head(kept).cwiseSqrt().cwiseInverse().cast<float>();
  const Matrix<float> left = pairs.vectors.leftCols(kept) * scales.asDiagonal();
  return {product(image, left, threads)};
}

Matrix<float> project(const SparseProjection& projection, const SparseRows& x, Threads threads) {
  ensure(x.dimension == projection.inputs(),
         fmt::format("features have {} columns; this model expects {}", x.dimension,
                     projection.inputs()));
  return product(x, projection.directions, threads);
}

}  // namespace structhash
