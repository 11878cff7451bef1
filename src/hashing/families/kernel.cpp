#include "structhash/hashing/families/kernel.hpp"

#include <cmath>

#include "structhash/core/error.hpp"

namespace structhash {

void check(const KernelFamilyParams& params) {
  require(params.anchors >= 1, "anchors must be at least 1");
  require(params.width > 0.0 && std::isfinite(params.width), "width must be a positive number");
  check(params.linear);
}

KernelFamily::KernelFamily(const MatrixView& x, const KernelFamilyParams& params, Seed seed,
                           Threads threads)
    : smooth_(params.linear.smooth) {
  check(params);
  RadialBasis basis = draw_radial_basis(x, params.anchors, params.width, seed.fork("anchors"));
  anchors_ = std::move(basis.anchors);
  gamma_ = basis.gamma;
  const Matrix<float> responses = kernel_responses(x, anchors_, gamma_, threads);
  map_ = fit_soft_whitening(responses, params.linear.ridge, params.linear.power, threads);
  z_ = map_.apply(responses, threads);
}

LearnedBit KernelFamily::best(const PairForm& form, Seed seed, Threads threads) const {
  return fit_smooth_bit(z_, form, smooth_, seed, threads);
}

Encoder KernelFamily::assemble(std::span<const LearnedBit> bits) const {
  const LinearFunctions functions = fold_bits(map_, bits);
  return KernelEncoder{anchors_, static_cast<float>(gamma_), functions.directions.cast<float>(),
                       functions.offsets.cast<float>()};
}

}  // namespace structhash
