#pragma once

#include "hashing/nearest_anchors.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"
#include "structhash/hashing/encoders.hpp"

/// The anchor graph of the training rows (docs/methods.md C.4).
namespace structhash {

/// Z, rows x anchors, with `neighbours` entries per row that sum to 1.  Two rows are as similar as
/// the anchors they share:  A = Z L^-1 Z^T,  L = diag(column sums of Z); it is never formed.
class TrainingGraph {
 public:
  /// Leaves out anchors that are no row's neighbour.
  TrainingGraph(const MatrixView& x, const Matrix<float>& anchors, Index neighbours,
                Threads threads);

  /// At most `count` functions, one per row, as coefficients of the anchors:  y = Z f.  These are
  /// the eigenvectors of A with the largest eigenvalues below 1: orthogonal, of mean 0 and
  /// variance 1.
  Matrix<double> smoothest_functions(Index count) const;

  /// Bits from the signs of the functions; then, with two layers, from a cut of both sides of each;
  /// then, if bits are left, from the functions' quantiles.
  AnchorGraphEncoder encoder(const Matrix<double>& functions, Index bits, Index layers) const;

 private:
  struct Cut {
    double low;
    double high;
  };

  Index rows() const;
  Vector<double> values(const Vector<double>& function) const;
  Cut second_cut(const Vector<double>& y) const;

  Matrix<float> anchors_;
  Index neighbours_;
  double gamma_ = 1.0;
  NearestAnchors near_;
  std::vector<double> weights_;  // the entries of Z, beside near_.anchors
  Vector<double> masses_;        // L
};

}  // namespace structhash
