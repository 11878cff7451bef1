#include "structhash/hashing/families/linear.hpp"

#include <cmath>

#include "structhash/core/error.hpp"
#include "structhash/core/linalg.hpp"

namespace structhash {
namespace {

constexpr double kSmallestVariance = 1e-8;  // of the largest; below it is rounding
constexpr double kFaded = 1e-3;  // variance after fading below which a component has no say

}  // namespace

void check(const LinearFamilyParams& params) {
  require(params.ridge > 0.0 && std::isfinite(params.ridge), "ridge must be a positive number");
  require(params.power > 0.0 && std::isfinite(params.power), "power must be a positive number");
  check(params.smooth);
}

AffineMap fit_soft_whitening(const MatrixView& x, double ridge, double power, Threads threads) {
  AffineMap map = fit_centre(x);
  const Matrix<float> centred = map.apply(x, threads);
  const EigenPairs pairs =
      symmetric_eigen(product_atb(centred, centred, threads) / real(x.rows()), threads);
  const Index columns = x.cols();
  const double largest = pairs.values(columns - 1);
  require(largest > 0.0, "all training features are constant: there is nothing to learn from");
  const auto faded = [&](double variance) {
    return std::pow(variance / (variance + ridge * largest), power);
  };
  Index kept = 0;
  while (kept < columns && pairs.values(columns - 1 - kept) > kSmallestVariance * largest &&
         faded(pairs.values(columns - 1 - kept)) > kFaded) {
    ++kept;
  }
  map.matrix.resize(columns, kept);
  for (Index i = 0; i < kept; ++i) {
    const double variance = pairs.values(columns - 1 - i);
    const double scale = std::sqrt(faded(variance) / variance);
    map.matrix.col(i) = (pairs.vectors.col(columns - 1 - i) * scale).cast<float>();
  }
  return map;
}

LinearFunctions fold_bits(const AffineMap& map, std::span<const LearnedBit> bits) {
  LinearFunctions functions{Matrix<double>(std::ssize(bits), map.outputs()),
                            Vector<double>(std::ssize(bits))};
  for (Index b = 0; b < std::ssize(bits); ++b) {
    const auto& function = std::get<LinearFunction>(bits[static_cast<std::size_t>(b)].function);
    functions.directions.row(b) = function.direction;
    functions.offsets(b) = function.offset;
  }
  return fold(map, functions);
}

LinearFamily::LinearFamily(const MatrixView& x, const LinearFamilyParams& params, Threads threads)
    : smooth_(params.smooth) {
  check(params);
  map_ = fit_soft_whitening(x, params.ridge, params.power, threads);
  z_ = map_.apply(x, threads);
}

LearnedBit LinearFamily::best(const PairForm& form, Seed seed, Threads threads) const {
  return fit_smooth_bit(z_, form, smooth_, seed, threads);
}

Encoder LinearFamily::assemble(std::span<const LearnedBit> bits) const {
  const LinearFunctions functions = fold_bits(map_, bits);
  return LinearEncoder{functions.directions.cast<float>(), functions.offsets.cast<float>()};
}

}  // namespace structhash
