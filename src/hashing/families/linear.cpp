#include "hashing/families/linear.hpp"

#include <cmath>

#include "core/linalg.hpp"
#include "hashing/families/dither.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr double kMinVariance = 1e-8;  // of the largest; below it is rounding
constexpr double kFaded = 1e-3;        // variance after fading below which a component has no say

///   C = 1/n sum_rows x x',  over the rows of all shards
Matrix<double> covariance(const MatrixView& centred, const Shards& shards, Threads threads) {
  const Index columns = centred.cols();
  const std::vector<double> sums =
      shards.sum(columns * columns, [&](Index shard, std::span<double> part) {
        const RowRange range = shards.rows(shard);
        const auto rows = centred.middleRows(range.begin, range.size());
        Eigen::Map<Matrix<double>>(part.data(), columns, columns) =
            product_atb(rows, rows, threads);
      });
  return Eigen::Map<const Matrix<double>>(sums.data(), columns, columns) /
         to_double(shards.all_rows());
}

}  // namespace

void check(const LinearFamilyParams& params) {
  require(params.ridge > 0.0 && std::isfinite(params.ridge), "ridge must be a positive number");
  require(params.power > 0.0 && std::isfinite(params.power), "power must be a positive number");
  check(params.smooth);
}

AffineMap fit_soft_whitening(const MatrixView& x, double ridge, double power, Threads threads) {
  return fit_soft_whitening(x, Shards(x.rows()), ridge, power, threads);
}

AffineMap fit_soft_whitening(const MatrixView& x, const Shards& shards, double ridge, double power,
                             Threads threads) {
  AffineMap map = fit_centre(x, shards);
  const Index columns = x.cols();
  const EigenPairs pairs =
      symmetric_eigen(covariance(map.apply(x, threads), shards, threads), threads);
  const double largest = pairs.values(columns - 1);
  require(largest > 0.0, "all training features are constant: there is nothing to learn from");
  const auto faded = [&](double variance) {
    return std::pow(variance / (variance + ridge * largest), power);
  };
  Index kept = 0;
  while (kept < columns && pairs.values(columns - 1 - kept) > kMinVariance * largest &&
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

Matrix<float> apply_to_shards(const AffineMap& map, const MatrixView& x, const Shards& shards,
                              Threads threads) {
  if (shards.count() == 1) {
    return map.apply(x, threads);
  }
  Matrix<float> z(x.rows(), map.outputs());
  for (Index shard = 0; shard < shards.count(); ++shard) {
    const RowRange rows = shards.rows(shard);
    z.middleRows(rows.begin, rows.size()) =
        map.apply(x.middleRows(rows.begin, rows.size()), threads);
  }
  return z;
}

LinearFamily::LinearFamily(const MatrixView& x, const Shards& shards,
                           const LinearFamilyParams& params, Threads threads)
    : smooth_(params.smooth) {
  check(params);
  map_ = fit_soft_whitening(x, shards, params.ridge, params.power, threads);
  z_ = apply_to_shards(map_, x, shards, threads);
  mean_squares_ = mean_squares(z_, shards);
}

LearnedBit LinearFamily::best(const PairForm& form, Seed seed, Threads threads) const {
  return fit_smooth_bit(z_, form, smooth_, seed, threads);
}

std::vector<std::int8_t> LinearFamily::signs(const HashFunction& function, const PairForm& form,
                                             Threads threads) const {
  return smooth_signs(z_, form, std::get<LinearFunction>(function), threads);
}

Encoder LinearFamily::assemble(std::span<const LearnedBit> bits, const Dither& dither) const {
  LinearFunctions functions = functions_of(bits);
  add_dither(functions, mean_squares_, dither);
  functions = fold(map_, functions);
  return LinearEncoder{functions.directions.cast<float>(), functions.offsets.cast<float>()};
}

}  // namespace structhash
