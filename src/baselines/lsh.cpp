#include "baselines/lsh.hpp"

#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kSumRows = 4096;  // rows per partial sum: the same for any number of threads

Vector<double> column_means(const MatrixView& x, Threads threads) {
  std::vector<Vector<double>> partial(static_cast<std::size_t>(chunk_count(x.rows(), kSumRows)));
  parallel_for(x.rows(), threads, kSumRows, [&](Index begin, Index end) {
    Vector<double> sum = Vector<double>::Zero(x.cols());
    for (Index row = begin; row < end; ++row) {
      sum += x.row(row).cast<double>().transpose();
    }
    partial[static_cast<std::size_t>(begin / kSumRows)] = std::move(sum);
  });
  Vector<double> total = Vector<double>::Zero(x.cols());
  for (const Vector<double>& sum : partial) {
    total += sum;
  }
  return total / to_double(x.rows());
}

/// r ~ N(0, I), row by row: the first bits are the same for any number of bits.
Matrix<float> random_directions(Index bits, Index dimension, Seed seed) {
  Rng rng(seed);
  Matrix<float> directions(bits, dimension);
  for (float& entry : directions.reshaped<Eigen::RowMajor>()) {
    entry = static_cast<float>(rng.normal());
  }
  return directions;
}

}  // namespace

/// bit = [ r . (x - mean) > 0 ],  r ~ N(0, I)   (docs/methods.md C.1)
///
/// as direction r and offset -r . mean.  Without the mean, features that are never negative give
/// nearly constant bits.
HashModel fit_lsh(const TrainingSet& data, const LshParams& params, const FitContext& context) {
  check(data, Supervision::none, context.threads);
  const auto directions = [&](Index dimension) {
    return random_directions(params.bits, dimension, context.seed.fork("lsh"));
  };
  if (params.features.functions == Functions::kernel) {
    const auto fit = [&](const Matrix<float>& z) -> LinearFunctions {
      return {directions(z.cols()).cast<double>(), Vector<double>::Zero(params.bits)};
    };
    Fitted fitted = fit_on_features(data.x, {}, params.features, context, fit);
    return make_model("lsh", kLshOptions, params, context.seed, std::move(fitted));
  }
  LinearEncoder encoder{.directions = directions(data.x.cols()),
                        .offsets = Vector<float>::Zero(params.bits)};
  if (params.centre) {
    const Vector<double> mean = column_means(data.x, context.threads);
    for (Index bit = 0; bit < params.bits; ++bit) {
      encoder.offsets(bit) =
          -static_cast<float>(encoder.directions.row(bit).cast<double>().dot(mean));
    }
  }
  return make_model("lsh", kLshOptions, params, context.seed, std::move(encoder));
}

}  // namespace structhash
