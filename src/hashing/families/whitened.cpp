#include "hashing/families/whitened.hpp"

#include <algorithm>
#include <cmath>

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
      map_(space.whitened(whitening)),
      z_(space.apply(map_, threads)),
      mean_squares_(mean_squares(z_, space.shards())) {
  check(smooth);
}

LearnedBit WhitenedFamily::best(const PairForm& form, Seed seed, Threads threads) const {
  return fit_smooth_bit(z_, form, smooth_, seed, threads);
}

std::vector<std::int8_t> WhitenedFamily::signs(const HashFunction& function, const PairForm& form,
                                               Threads threads) const {
  return smooth_signs(z_, form, std::get<LinearFunction>(function), threads);
}

Encoder WhitenedFamily::assemble(std::span<const LearnedBit> bits, const Dither& dither) const {
  LinearFunctions functions = functions_of(bits);
  add_dither(functions, mean_squares_, dither);
  functions = fold(map_, functions);
  Matrix<float> directions = functions.directions.cast<float>();
  Vector<float> offsets = functions.offsets.cast<float>();
  if (basis_) {
    return KernelEncoder{basis_->anchors, static_cast<float>(basis_->gamma), std::move(directions),
                         std::move(offsets)};
  }
  return LinearEncoder{std::move(directions), std::move(offsets)};
}

const WhitenedFamily* as_whitened(const HashFamily& family) {
  return dynamic_cast<const WhitenedFamily*>(&family);
}

Encoder assemble(const HashFamily& family, std::span<const LearnedBit> bits, const Dither& dither) {
  const WhitenedFamily* whitened = as_whitened(family);
  return whitened != nullptr ? whitened->assemble(bits, dither) : family.assemble(bits);
}

Vector<double> mean_squares(const MatrixView& z, const Shards& shards) {
  const std::vector<double> sums = shards.sum(z.cols(), [&](Index shard, std::span<double> part) {
    const RowRange range = shards.rows(shard);
    const auto rows = z.middleRows(range.begin, range.size());
    for (Index column = 0; column < z.cols(); ++column) {
      part[static_cast<std::size_t>(column)] =
          rows.col(column).template cast<double>().squaredNorm();
    }
  });
  return Eigen::Map<const Vector<double>>(sums.data(), z.cols()) / to_double(shards.all_rows());
}

void add_dither(LinearFunctions& functions, const Vector<double>& mean_squares,
                const Dither& dither) {
  const auto rms = [&](const Vector<double>& direction) {
    return std::sqrt(direction.array().square().matrix().dot(mean_squares));
  };
  for (Index bit = 0; dither.size > 0.0 && bit < functions.directions.rows(); ++bit) {
    Rng rng(dither.seed.fork(static_cast<std::uint64_t>(bit)));
    Vector<double> random(mean_squares.size());
    for (double& value : random) {
      value = rng.normal();
    }
    const double size = dither.size * std::min(1.0, to_double(bit) / dither.bits);
    if (const double unit = rms(random); unit > 0.0) {
      functions.directions.row(bit) += size * rms(functions.directions.row(bit)) / unit * random;
    }
  }
}

}  // namespace structhash
