#include "hashing/adaptive.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hashing/kernel_signs.hpp"
#include "hashing/linear_signs.hpp"
#include "hashing/signs.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/hashing/model.hpp"

namespace structhash {
namespace {

constexpr Index kMagnitudeRows = 250;  // whose magnitudes are averaged
constexpr double kSlope = 3.0;         // s of tanh(s |f| / mean |f|), docs/adr/0026
constexpr Index kAdaptiveRows = 8;
constexpr Index kPackedValueRows = 96;  // a multiple of six

/// Decision values that depend on their row alone: the values of linear functions in double, as
/// their float products depend on the size of the block.
Matrix<float> values_of_rows(const Encoder& encoder, const MatrixView& x, Threads threads) {
  const auto* linear = std::get_if<LinearEncoder>(&encoder);
  if (linear == nullptr || x.cols() != linear->dimension()) {
    return decision_values(encoder, x, threads);
  }
  Matrix<float> values(x.rows(), linear->bits());
  parallel_for(x.rows(), threads, kAdaptiveRows, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      for (Index bit = 0; bit < linear->bits(); ++bit) {
        values(row, bit) = with_same_sign(exact_value(*linear, x, row, bit));
      }
    }
  });
  return values;
}

Matrix<float> packed_values(const KernelEncoder& encoder, const MatrixView& x, Threads threads) {
  const PackedKernel packed(encoder);
  Matrix<float> values(x.rows(), encoder.bits());
  parallel_for(x.rows(), threads, kPackedValueRows, [&](Index begin, Index end) {
    values.middleRows(begin, end - begin) = packed.values(x.middleRows(begin, end - begin));
  });
  return values;
}

}  // namespace

bool has_magnitudes(const Encoder& encoder) {
  return std::holds_alternative<LinearEncoder>(encoder) ||
         std::holds_alternative<KernelEncoder>(encoder);
}

std::vector<float> mean_magnitudes(const Encoder& encoder, const MatrixView& x,
                                   const Shards& shards, Threads threads) {
  if (!has_magnitudes(encoder)) {
    return {};
  }
  const Index bits = encoder_bits(encoder);
  const Index stride = (shards.all_rows() + kMagnitudeRows - 1) / kMagnitudeRows;
  // One more number, for the rows counted.
  std::vector<double> sums = shards.sum(bits + 1, [&](Index shard, std::span<double> part) {
    const RowRange rows = shards.rows(shard);
    Matrix<float> sample((rows.size() + stride - 1) / stride, x.cols());
    for (Index i = 0; i < sample.rows(); ++i) {
      sample.row(i) = x.row(rows.begin + i * stride);
    }
    const Matrix<float> values = values_of_rows(encoder, sample, threads);
    Eigen::Map<Vector<double>>(part.data(), bits) =
        values.cast<double>().cwiseAbs().colwise().sum();
    part.back() = to_double(sample.rows());
  });
  std::vector<float> means;
  for (Index bit = 0; bit < bits; ++bit) {
    means.push_back(static_cast<float>(sums[static_cast<std::size_t>(bit)] / sums.back()));
  }
  return means;
}

void require_adaptive(const HashModel& model) {
  if (!has_magnitudes(model.encoder)) {
    fail(Errc::usage, fmt::format("the adaptive distance needs linear or kernel hash functions, "
                                  "this model of {} has functions of kind {}; use the distance "
                                  "weighted or hamming",
                                  model.method, encoder_name(model.encoder)));
  }
  if (model.mean_magnitudes.empty()) {
    fail(Errc::usage,
         fmt::format("this model of {} does not hold the mean magnitudes of its hash functions, "
                     "which the adaptive distance needs and models of structhash have; train it "
                     "again, or use the distance weighted or hamming",
                     model.method));
  }
}

namespace {

/// x: what the encoder takes.
Matrix<float> adaptive_values_at(const HashModel& model, const MatrixView& x, Threads threads) {
  const Encoder& encoder = model.query_encoder ? *model.query_encoder : model.encoder;
  const auto* kernel = std::get_if<KernelEncoder>(&encoder);
  Matrix<float> values = kernel != nullptr && x.cols() == kernel->dimension()
                             ? packed_values(*kernel, x, threads)
                             : values_of_rows(encoder, x, threads);
  for (Index bit = 0; bit < values.cols(); ++bit) {
    const auto b = static_cast<std::size_t>(bit);
    const double weight = model.bit_weights.empty() ? 1.0 : std::sqrt(model.bit_weights[b]);
    const double mean = model.mean_magnitudes[b];
    for (Index row = 0; row < values.rows(); ++row) {
      const double value = values(row, bit);
      // A function that is 0 on all training rows has no scale: its bit counts in full.
      const double confidence =
          mean > 0.0 ? std::tanh(kSlope * value / mean) : std::copysign(1.0, value);
      values(row, bit) = static_cast<float>(weight * confidence);
    }
  }
  return values;
}

}  // namespace

Matrix<float> adaptive_values(const HashModel& model, const MatrixView& x, Threads threads) {
  require_adaptive(model);
  require_finite(x, "features", threads);
  return model.projection.empty()
             ? adaptive_values_at(model, x, threads)
             : adaptive_values_at(model, encoder_inputs(model, sparse_rows(x), threads), threads);
}

}  // namespace structhash
