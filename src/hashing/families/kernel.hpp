#pragma once

#include "hashing/families/linear.hpp"
#include "hashing/radial_basis.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/hashing/encoders.hpp"

/// Linear functions of radial basis responses to anchors (docs/methods.md A.9, kernel variant).
namespace structhash {

struct KernelFamilyParams {
  Index anchors = 2000;  // at most; training rows drawn at random
  double width = 0.25;   // sigma^2 over the mean squared distance of rows to anchors
  /// How a row that is an anchor responds to itself in training: this share of the way from its
  /// largest response to another anchor up to 1 (docs/adr/0016).
  double self_response = 0.6;
  LinearFamilyParams linear{.ridge = 6e-5, .power = 1.0, .smooth = {.penalty = 0.3}};
};
void check(const KernelFamilyParams& params);

/// What kernel functions are learned from: responses of the rows to anchors among them.
struct TrainingResponses {
  RadialBasis basis;
  Matrix<float> values;
};
TrainingResponses training_responses(const MatrixView& x, const Shards& shards,
                                     const KernelFamilyParams& params, Seed seed, Threads threads);

class KernelFamily final : public HashFamily {
 public:
  KernelFamily(const MatrixView& x, const KernelFamilyParams& params, Seed seed, Threads threads)
      : KernelFamily(x, Shards(x.rows()), params, seed, threads) {}
  KernelFamily(const MatrixView& x, const Shards& shards, const KernelFamilyParams& params,
               Seed seed, Threads threads);
  LearnedBit best(const PairForm& form, Seed seed, Threads threads) const override;
  Encoder assemble(std::span<const LearnedBit> bits, const Dither& dither) const override;
  std::vector<std::int8_t> signs(const HashFunction& function, const PairForm& form,
                                 Threads threads) const override;

 private:
  SmoothParams smooth_;
  Matrix<float> anchors_;
  double gamma_ = 1.0;
  AffineMap map_;
  Matrix<float> z_;
  Vector<double> mean_squares_;  // of the columns of z
};

}  // namespace structhash
