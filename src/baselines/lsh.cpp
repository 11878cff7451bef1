#include "baselines/lsh.hpp"

#include <nlohmann/json.hpp>

#include "structhash/core/error.hpp"
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

/// Drawn one after the other, so that the first bits are the same for any number of bits.
Matrix<float> random_directions(Index bits, Index dimension, Seed seed) {
  Rng rng(seed);
  Matrix<float> directions(bits, dimension);
  for (Index bit = 0; bit < bits; ++bit) {
    for (Index column = 0; column < dimension; ++column) {
      directions(bit, column) = static_cast<float>(rng.normal());
    }
  }
  return directions;
}

LinearEncoder linear_lsh(const MatrixView& x, const LshParams& params, const FitContext& context) {
  LinearEncoder encoder{
      .directions = random_directions(params.bits, x.cols(), context.seed.fork("lsh")),
      .offsets = Vector<float>::Zero(params.bits)};
  if (params.centre) {
    const Vector<double> mean = column_means(x, context.threads);
    for (Index bit = 0; bit < params.bits; ++bit) {
      encoder.offsets(bit) =
          -static_cast<float>(encoder.directions.row(bit).cast<double>().dot(mean));
    }
  }
  return encoder;
}

/// On centred kernel features.
Encoder kernel_lsh(const MatrixView& x, const LshParams& params, const FitContext& context) {
  return fit_on_features(x, params.features, context, [&](const Matrix<float>& z) {
    return LinearFunctions{
        random_directions(params.bits, z.cols(), context.seed.fork("lsh")).cast<double>(),
        Vector<double>::Zero(params.bits)};
  });
}

class Lsh final : public Hasher {
 public:
  explicit Lsh(const LshParams& params) : params_(params) { check(params); }
  HashModel fit(const TrainingSet& data, const FitContext& context) const override {
    return fit_lsh(data, params_, context);
  }

 private:
  LshParams params_;
};

}  // namespace

void check(const LshParams& params) {
  require(params.bits >= 1, "lsh: bits must be at least 1");
  check(params.features);
}

/// bit = [ r . (x - mean) > 0 ],  r ~ N(0, I)   (docs/methods.md C.1)
///
/// as direction r and offset -r . mean.  Without the mean, features that are never negative give
/// nearly constant bits.
HashModel fit_lsh(const TrainingSet& data, const LshParams& params, const FitContext& context) {
  check(params);
  check(data, Supervision::none, context.threads);
  const bool kernel = params.features.functions == "kernel";
  nlohmann::json parameters{
      {"bits", params.bits}, {"centre", params.centre}, {"seed", context.seed.value}};
  if (kernel) {
    parameters["functions"] = "kernel";
  }
  return {.method = "lsh",
          .parameters = parameters.dump(),
          .encoder = kernel ? kernel_lsh(data.x, params, context)
                            : Encoder(linear_lsh(data.x, params, context)),
          .bit_weights = {}};
}

std::unique_ptr<Hasher> make_lsh(const MethodOptions& options) {
  OptionReader reader("lsh", options);
  LshParams params{.bits = options.bits, .features = read_features(reader)};
  if (params.features.functions == "linear") {  // kernel features are always centred
    params.centre = reader.flag("centre", true);
  }
  reader.finish();
  return std::make_unique<Lsh>(params);
}

}  // namespace structhash
