#pragma once

#include <optional>

#include "core/half_matrix.hpp"
#include "core/shards.hpp"
#include "data/preprocess.hpp"
#include "hashing/families/defaults.hpp"
#include "hashing/radial_basis.hpp"
#include "structhash/hashing/encoder.hpp"

/// The features that linear and kernel hash functions are linear in, and their whitening.
namespace structhash {

struct KernelParams {
  Index anchors = 2000;         // at most (hashing/radial_basis.hpp)
  double width = kKernelWidth;  // sigma^2 over the mean squared distance of rows to anchors
  double self_response = 0.6;   // of anchors in training, see lower_self_responses
};

/// Parameters of the soft whitening.
struct Whitening {
  double ridge =
      kLinearDefaults.ridge;  // > 0: where it fades out, relative to the largest variance
  double power = kLinearDefaults.power;  // > 0: how sharply
  bool on = true;                        // false: the features as they are, up to one factor
};
void check(const Whitening& whitening);

/// Principal directions of features: what every soft whitening is a rescaling of.
struct Spectrum {
  Vector<float> centre;
  Vector<double> variances;  // descending; those that single precision can tell from zero
  Matrix<float> directions;  // features x components
};

/// Share of every component that a whitening leaves:  (lambda_i / (lambda_i + ridge
/// lambda_1))^power, and lambda_i / lambda_1 if it is off
Vector<double> shares(const Vector<double>& variances, const Whitening& whitening);

/// Factors of the components that a whitening keeps:  sqrt(share_i / lambda_i).
Vector<double> scales(const Vector<double>& variances, const Whitening& whitening);

/// Whitening that fades out (docs/adr/0009):
///
///   z_i = v_i . (x - mean) / sqrt(lambda_i) * sqrt(share_i)
///
/// Directions of large variance get unit variance, those far below the ridge next to none: a
/// penalty on the direction of a hash function then needs more evidence where there is less
/// signal.  Components left with less than 1e-3 of unit variance are dropped.
AffineMap soft_whitening(const Spectrum& spectrum, const Whitening& whitening);

/// Features of the training rows along their principal directions.  Made once per training set and
/// kernel width; every whitening of it rescales columns.
/// With m = min(rows, features; features if the rows are cut into shards):
/// Cost: an eigenproblem of m^3 and products of rows x features x m.
/// Memory: 2 rows x features floats while it is made, then half of that.
class ResponseSpace {
 public:
  /// The features themselves, for linear functions.
  ResponseSpace(const MatrixView& x, const Shards& shards, Threads threads);
  /// Responses to anchors among the rows, for kernel functions.
  ResponseSpace(const MatrixView& x, const Shards& shards, const KernelParams& params, Seed seed,
                Threads threads);

  const std::optional<RadialBasis>& basis() const { return basis_; }  // of kernel functions
  const Shards& shards() const { return shards_; }
  /// Of the covariance  1/n sum_rows x x'  over the rows of all shards.
  const Spectrum& spectrum() const { return spectrum_; }
  /// v_i . (x - mean): rows x components.
  const Matrix<float>& components() const { return components_; }
  /// The training rows, whitened.
  HalfMatrix whitened(const Whitening& whitening, Threads threads) const;

 private:
  void fit(Matrix<float> features, Threads threads);

  std::optional<RadialBasis> basis_;
  Shards shards_;
  Spectrum spectrum_;
  Matrix<float> components_;
};

/// Responses of the training rows; those of anchors to themselves are lowered (docs/adr/0016).
Matrix<float> training_responses(const MatrixView& x, const Shards& shards,
                                 const RadialBasis& basis, double self_response, Threads threads);

/// The encoder of functions that are linear in the features of a space.
Encoder make_encoder(const std::optional<RadialBasis>& basis, const LinearFunctions& functions);

/// The whitening alone, for methods that fit it once.
AffineMap fit_soft_whitening(const MatrixView& x, double ridge, double power, Threads threads);

}  // namespace structhash
