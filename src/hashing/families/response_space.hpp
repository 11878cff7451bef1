#pragma once

#include <optional>

#include "core/decompositions.hpp"
#include "core/shards.hpp"
#include "data/preprocess.hpp"
#include "hashing/families/defaults.hpp"
#include "hashing/radial_basis.hpp"

/// The features that linear and kernel hash functions are linear in, and their whitening.
namespace structhash {

struct KernelParams {
  Index anchors = 2000;         // at most; training rows drawn at random
  double width = kKernelWidth;  // sigma^2 over the mean squared distance of rows to anchors
  double self_response = 0.6;   // of anchors in training, see lower_self_responses
};

/// Parameters of the soft whitening.
struct Whitening {
  double ridge =
      kLinearDefaults.ridge;  // > 0: where it fades out, relative to the largest variance
  double power = kLinearDefaults.power;  // > 0: how sharply
};
void check(const Whitening& whitening);

/// Centred features of the training rows and the eigenpairs of their covariance.  Made once per
/// training set and kernel width; every whitening of it is a rescaling.
/// Cost: the eigenproblem, features^3; memory: rows x features floats, features^2 doubles.
class ResponseSpace {
 public:
  /// The features themselves, for linear functions.
  ResponseSpace(const MatrixView& x, const Shards& shards, Threads threads);
  /// Responses to anchors among the rows, for kernel functions.
  ResponseSpace(const MatrixView& x, const Shards& shards, const KernelParams& params, Seed seed,
                Threads threads);

  const std::optional<RadialBasis>& basis() const { return basis_; }  // of kernel functions
  const Shards& shards() const { return shards_; }
  const Matrix<float>& centred() const { return centred_; }  // rows x features
  /// Of  C = 1/n sum_rows x x',  over the rows of all shards.
  const EigenPairs& covariance() const { return covariance_; }

  /// Whitening that fades out (docs/adr/0009):
  ///
  ///   z_i = v_i . (x - mean) / sqrt(lambda_i) * (lambda_i / (lambda_i + ridge lambda_1))^(power/2)
  ///
  /// Directions of large variance get unit variance, those far below the ridge next to none: a
  /// penalty on the direction of a hash function then needs more evidence where there is less
  /// signal.  Components left with less than 1e-3 of unit variance are dropped.
  AffineMap whitened(const Whitening& whitening) const;

  /// The map of every training row, shard by shard: the result for a row does not depend on the
  /// other shards.
  Matrix<float> apply(const AffineMap& map, Threads threads) const;

 private:
  void fit(Threads threads);

  std::optional<RadialBasis> basis_;
  Shards shards_;
  Vector<float> centre_;
  Matrix<float> centred_;
  EigenPairs covariance_;
};

/// The whitening alone, for methods that fit it once.
AffineMap fit_soft_whitening(const MatrixView& x, double ridge, double power, Threads threads);

}  // namespace structhash
