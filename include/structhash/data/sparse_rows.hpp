#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/core/types.hpp"

/// Features that are mostly zero, such as counts of words, and their projection on a few dense
/// ones.
namespace structhash {

/// Row i holds values[k] in column columns[k] for k = starts[i] .. starts[i + 1] - 1, columns
/// ascending; all others are zero.
struct SparseRows {
  Index dimension = 0;  // columns of a row
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> columns{};
  std::vector<float> values{};

  Index rows() const { return std::ssize(starts) - 1; }
};

/// Throws Errc::bad_data naming row and column (1-based) unless sizes agree, columns ascend within
/// the dimension and values are finite.
void check(const SparseRows& x);

/// The entries that are not zero.
SparseRows sparse_rows(const MatrixView& x);

/// Some rows, in the order given.
SparseRows select(const SparseRows& x, std::span<const Index> rows);

/// Linear map of sparse features to dense ones, learned before everything else:
///
///   z = directions' x        directions: the leading right singular vectors of the training rows
///
/// Rows are not centred, which would make them dense.
struct SparseProjection {
  Matrix<float> directions;  // inputs x outputs; empty: features are dense

  bool empty() const { return directions.size() == 0; }
  Index inputs() const { return directions.rows(); }
  Index outputs() const { return directions.cols(); }
  bool operator==(const SparseProjection& other) const;
};

/// At most `components` directions, fewer where the rows span fewer, by a randomised range finder
/// with power steps (Halko, Martinsson, Tropp 2011).
/// Cost: 11 products of the entries of x with `components` columns, and of rows and dimension with
/// components^2.  Memory: 3 dimension x components and 4 rows x components numbers.
SparseProjection fit_projection(const SparseRows& x, Index components, Seed seed, Threads threads);

/// z of every row; depends on the row alone.  Throws Errc::bad_data for rows of another dimension.
Matrix<float> project(const SparseProjection& projection, const SparseRows& x, Threads threads);

}  // namespace structhash
