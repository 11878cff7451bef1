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

WhitenedFamily::WhitenedFamily(const std::vector<View>& views, const SmoothParams& smooth,
                               Threads threads)
    : smooth_(smooth) {
  check(smooth);
  std::vector<HalfMatrix> blocks;
  std::vector<double> start_scales;
  for (const auto& [space, whitening] : views) {
    const HalfMatrix& block = blocks.emplace_back(space.whitened(whitening, threads));
    views_.push_back(
        {.basis = space.basis(),
         .map = soft_whitening(space.spectrum(), whitening),
         .mean_squares = shares(space.spectrum().variances, whitening).head(block.cols())});
    if (!whitening.on) {
      const Vector<double> scales = (views_.back().mean_squares.array() + whitening.ridge).rsqrt();
      start_scales.insert(start_scales.end(), scales.begin(), scales.end());
    }
  }
  z_ = blocks.size() == 1 ? std::move(blocks.front()) : HalfMatrix::diagonal(std::move(blocks));
  starts_.scales = Eigen::Map<const Vector<double>>(start_scales.data(), std::ssize(start_scales));
  if (smooth.stump_start) {
    const ResponseSpace& space = views.front().space;
    require(views.size() == 1 && !space.shards().cut(),
            "stump-start cannot be used with rows cut into shards or with queries of another kind; "
            "set it to false");
    stump_.emplace(product_abt(space.components(), space.spectrum().directions, threads), threads);
  }
}

/// The stump as a linear function: with z = (x - mean) W, the columns of W orthogonal,
///
///   x(column) - mean(column) = sum_k z(k) W(column, k) / ||W(., k)||^2
LinearFunction WhitenedFamily::over_z(const StumpFunction& stump) const {
  const Matrix<double> matrix = views_.front().map.matrix.cast<double>();
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

Encoder WhitenedFamily::assemble(std::span<const LearnedBit> bits, const Dither& dither,
                                 Index view) const {
  const Folding& own = views_[static_cast<std::size_t>(view)];
  Index first = 0;
  for (Index before = 0; before < view; ++before) {
    first += views_[static_cast<std::size_t>(before)].mean_squares.size();
  }
  LinearFunctions functions = functions_of(bits);
  functions.directions =
      Matrix<double>(functions.directions.middleCols(first, own.mean_squares.size()));
  Dither of_view = dither;
  of_view.seed = view == 0 ? dither.seed : dither.seed.fork(static_cast<std::uint64_t>(view));
  add_dither(functions, own.mean_squares, of_view);
  return make_encoder(own.basis, fold(own.map, functions));
}

const WhitenedFamily* as_whitened(const HashFamily& family) {
  return dynamic_cast<const WhitenedFamily*>(&family);
}

Encoder assemble(const HashFamily& family, std::span<const LearnedBit> bits, const Dither& dither,
                 Index view) {
  const WhitenedFamily* whitened = as_whitened(family);
  return whitened != nullptr ? whitened->assemble(bits, dither, view) : family.assemble(bits);
}

}  // namespace structhash
