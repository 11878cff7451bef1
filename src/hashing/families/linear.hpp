#pragma once

#include "data/preprocess.hpp"
#include "hashing/families/smooth.hpp"
#include "structhash/core/parallel.hpp"

/// Linear hash functions, Eq. (17), over softly whitened features.
namespace structhash {

struct LinearFamilyParams {
  double ridge = 0.01;  // > 0: where whitening fades out, relative to the largest variance
  double power = 3.0;   // > 0: how sharply it does
  SmoothParams smooth;
};
void check(const LinearFamilyParams& params);

/// Whitening that fades out (docs/adr/0009):
///
///   z_i = v_i . (x - mean) / sqrt(lambda_i) * (lambda_i / (lambda_i + ridge lambda_1))^(power / 2)
///
/// Directions of large variance get unit variance, those far below the ridge next to none: a
/// penalty on the direction of a hash function then asks for more evidence where there is less
/// signal.  Components left with less than 1e-3 of unit variance are dropped.
AffineMap fit_soft_whitening(const MatrixView& x, double ridge, double power, Threads threads);
AffineMap fit_soft_whitening(const MatrixView& x, const Shards& shards, double ridge, double power,
                             Threads threads);

/// The map of every row, shard by shard: what a row becomes does not depend on the shards beside
/// its own.
Matrix<float> apply_to_shards(const AffineMap& map, const MatrixView& x, const Shards& shards,
                              Threads threads);

class LinearFamily final : public HashFamily {
 public:
  LinearFamily(const MatrixView& x, const LinearFamilyParams& params, Threads threads)
      : LinearFamily(x, Shards(x.rows()), params, threads) {}
  LinearFamily(const MatrixView& x, const Shards& shards, const LinearFamilyParams& params,
               Threads threads);
  LearnedBit best(const PairForm& form, Seed seed, Threads threads) const override;
  Encoder assemble(std::span<const LearnedBit> bits, const Dither& dither) const override;
  std::vector<std::int8_t> signs(const HashFunction& function, const PairForm& form,
                                 Threads threads) const override;

 private:
  SmoothParams smooth_;
  AffineMap map_;
  Matrix<float> z_;
  Vector<double> mean_squares_;  // of the columns of z
};

/// The functions of learned bits, of which there is at least one.
LinearFunctions functions_of(std::span<const LearnedBit> bits);

}  // namespace structhash
