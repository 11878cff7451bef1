#pragma once

#include "core/shards.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"

/// Preprocessing: fitted once on the training rows, then applied to any rows.
namespace structhash {

/// Centring, scaling, PCA and whitening are all of one form,
///
///   y = ((x - centre) .* scale) * matrix
///
/// so a learner can fold any of them into its hash directions, and a model needs no separate step.
struct AffineMap {
  Vector<float> centre;  // one entry per input column
  Vector<float> scale;   // one entry per input column; empty: all 1
  Matrix<float> matrix;  // input x output columns; empty: the identity

  Index inputs() const { return centre.size(); }
  Index outputs() const { return matrix.size() > 0 ? matrix.cols() : centre.size(); }
  Matrix<float> apply(const MatrixView& x, Threads threads) const;

  bool operator==(const AffineMap&) const = default;
};

/// Linear functions of a row: value b is directions.row(b) . x + offsets(b).
struct LinearFunctions {
  Matrix<double> directions;
  Vector<double> offsets;
};

/// Functions of the input of the map: fold(map, f)(x) = f(map(x)).
LinearFunctions fold(const AffineMap& map, const LinearFunctions& functions);

/// Subtracts the mean of every column.
AffineMap fit_centre(const MatrixView& x);
AffineMap fit_centre(const MatrixView& x, const Shards& shards);

/// Maps the smallest value of every column to 0 and the largest to 1; a constant column to 0.
AffineMap fit_min_max(const MatrixView& x);

/// The `components` directions of largest variance, largest first.
AffineMap fit_pca(const MatrixView& x, Index components, Threads threads);

/// PCA whose components have variance 1:  y_i = v_i . (x - mean) / sqrt(max(lambda_i, floor *
/// lambda_1)).  Directions of tiny variance are mostly noise; the floor, relative to the largest
/// eigenvalue, bounds their amplification.  Data without variance map to 0.
AffineMap fit_whitening(const MatrixView& x, Index components, double floor, Threads threads);

/// Scales every row to length 1; a row of zeros stays as it is.
void normalise_rows(Matrix<float>& x);

}  // namespace structhash
