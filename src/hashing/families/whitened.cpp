#include "hashing/families/whitened.hpp"

namespace structhash {
namespace {

/// The bit functions of at least one bit, one below the other.
LinearFunctions functions_of(std::span<const LearnedBit> bits) {
  const auto& first = std::get<LinearFunction>(bits[0].function);
  LinearFunctions functions{Matrix<double>(std::ssize(bits), first.direction.size()),
                            Vector<double>(std::ssize(bits))};
  for (Index b = 0; b < std::ssize(bits); ++b) {
    const auto& function = std::get<LinearFunction>(bits[static_cast<std::size_t>(b)].function);
    functions.directions.row(b) = function.direction;
    functions.offsets(b) = function.offset;
  }
  return functions;
}

}  // namespace

WhitenedFamily::WhitenedFamily(const ResponseSpace& space, const Whitening& whitening,
                               const SmoothParams& smooth, Threads threads)
    : smooth_(smooth),
      basis_(space.basis()),
      map_(soft_whitening(space.spectrum(), whitening)),
      z_(space.whitened(whitening, threads)),
      mean_squares_(shares(space.spectrum().variances, whitening).head(z_.cols())) {
  check(smooth);
  if (!whitening.on) {
    starts_.scales = (mean_squares_.array() + whitening.ridge).rsqrt();
  }
  if (smooth.stump_start) {
    require(!space.shards().cut(),
            "stump-start cannot be used with rows cut into shards; set it to false, or use one");
    stump_.emplace(product_abt(space.components(), space.spectrum().directions, threads), threads);
  }
}

/// The stump as a linear function: with z = (x - mean) W, the columns of W orthogonal,
///
///   x(column) - mean(column) = sum_k z(k) W(column, k) / ||W(., k)||^2
LinearFunction WhitenedFamily::over_z(const StumpFunction& stump) const {
  const Matrix<double> matrix = map_.matrix.cast<double>();
  return {.direction = matrix.row(stump.column)
                           .transpose()
                           .cwiseQuotient(matrix.colwise().squaredNorm().transpose()),
          .offset = -static_cast<double>(stump.threshold)};
}

LearnedBit WhitenedFamily::best(const PairForm& form, Seed seed, Threads threads) const {
  if (!stump_) {
    return fit_smooth_bit(z_, form, smooth_, seed, threads, starts_);
  }
  SmoothStarts starts = starts_;
  starts.given = over_z(std::get<StumpFunction>(stump_->best(form, seed, threads).function));
  return fit_smooth_bit(z_, form, smooth_, seed, threads, starts);
}

std::vector<std::int8_t> WhitenedFamily::signs(const HashFunction& function, const PairForm& form,
                                               Threads threads) const {
  return smooth_signs(z_, form, std::get<LinearFunction>(function), threads);
}

Encoder WhitenedFamily::assemble(std::span<const LearnedBit> bits, const Dither& dither) const {
  LinearFunctions functions = functions_of(bits);
  add_dither(functions, mean_squares_, dither);
  return make_encoder(basis_, fold(map_, functions));
}

const WhitenedFamily* as_whitened(const HashFamily& family) {
  return dynamic_cast<const WhitenedFamily*>(&family);
}

Encoder assemble(const HashFamily& family, std::span<const LearnedBit> bits, const Dither& dither) {
  const WhitenedFamily* whitened = as_whitened(family);
  return whitened != nullptr ? whitened->assemble(bits, dither) : family.assemble(bits);
}

}  // namespace structhash
