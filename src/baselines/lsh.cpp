#include "structhash/baselines/lsh.hpp"

#include <nlohmann/json.hpp>

#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kSumRows = 4096;  // rows per partial sum: the same for any number of threads

Vector<double> column_means(const Matrix<float>& x, int threads) {
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
  return total / real(x.rows());
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
}

/// bit = [ r . (x - mean) > 0 ],  r ~ N(0, I)   (docs/methods.md C.1)
///
/// as direction r and offset -r . mean.  Without the mean, features that are never negative give
/// nearly constant bits.  Directions are drawn one after the other, so that the first bits are the
/// same for any number of bits.
HashModel fit_lsh(const TrainingSet& data, const LshParams& params, const FitContext& context) {
  check(params);
  check(data, Supervision::none, context.threads);
  const Index dimension = data.x.cols();
  Rng rng(context.seed.fork("lsh"));
  LinearEncoder encoder{.directions = Matrix<float>(params.bits, dimension),
                        .offsets = Vector<float>::Zero(params.bits)};
  for (Index bit = 0; bit < params.bits; ++bit) {
    for (Index column = 0; column < dimension; ++column) {
      encoder.directions(bit, column) = static_cast<float>(rng.normal());
    }
  }
  if (params.centre) {
    const Vector<double> mean = column_means(data.x, context.threads);
    for (Index bit = 0; bit < params.bits; ++bit) {
      encoder.offsets(bit) =
          -static_cast<float>(encoder.directions.row(bit).cast<double>().dot(mean));
    }
  }
  const nlohmann::json parameters{
      {"bits", params.bits}, {"centre", params.centre}, {"seed", context.seed.value}};
  return {.method = "lsh",
          .parameters = parameters.dump(),
          .encoder = std::move(encoder),
          .bit_weights = {}};
}

std::unique_ptr<Hasher> make_lsh(const MethodOptions& options) {
  OptionReader reader("lsh", options);
  const LshParams params{.bits = options.bits, .centre = reader.flag("centre", true)};
  reader.finish();
  return std::make_unique<Lsh>(params);
}

}  // namespace structhash
