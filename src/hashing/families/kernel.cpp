#include "hashing/families/kernel.hpp"
#include "hashing/radial_basis.hpp"

#include <algorithm>
#include <cmath>

#include "hashing/families/dither.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr float kSuspect = 0.99F;  // a response below it is not that of an anchor to itself

/// No unseen row is as near to any anchor as an anchor is to itself: rows that are anchors respond
/// to themselves as a row would that stands between them and their nearest other anchor.
void lower_own_responses(Matrix<float>& responses, const MatrixView& x,
                         const Matrix<float>& anchors, double share) {
  std::vector<Index> own;
  for (Index row = 0; row < x.rows(); ++row) {
    own.clear();
    float nearest = 0.0F;
    for (Index anchor = 0; anchor < anchors.rows(); ++anchor) {
      const float response = responses(row, anchor);
      if (response > kSuspect && x.row(row) == anchors.row(anchor)) {
        own.push_back(anchor);
      } else {
        nearest = std::max(nearest, response);
      }
    }
    for (const Index anchor : own) {
      responses(row, anchor) = nearest + static_cast<float>(share) * (1.0F - nearest);
    }
  }
}

}  // namespace

void check(const KernelFamilyParams& params) {
  require(params.anchors >= 1, "anchors must be at least 1");
  require(params.width > 0.0 && std::isfinite(params.width), "width must be a positive number");
  require(params.self_response >= 0.0 && params.self_response <= 1.0,
          "self-response must lie between 0 and 1");
  check(params.linear);
}

TrainingResponses training_responses(const MatrixView& x, const Shards& shards,
                                     const KernelFamilyParams& params, Seed seed, Threads threads) {
  check(params);
  TrainingResponses result{
      .basis = draw_radial_basis(x, shards, params.anchors, params.width, seed.fork("anchors")),
      .values = {}};
  const auto& [anchors, gamma] = result.basis;
  result.values.resize(x.rows(), anchors.rows());
  for (Index shard = 0; shard < shards.count(); ++shard) {
    const RowRange rows = shards.rows(shard);
    result.values.middleRows(rows.begin, rows.size()) =
        kernel_responses(x.middleRows(rows.begin, rows.size()), anchors, gamma, threads);
  }
  lower_own_responses(result.values, x, anchors, params.self_response);
  return result;
}

KernelFamily::KernelFamily(const MatrixView& x, const Shards& shards,
                           const KernelFamilyParams& params, Seed seed, Threads threads)
    : smooth_(params.linear.smooth) {
  TrainingResponses responses = training_responses(x, shards, params, seed, threads);
  anchors_ = std::move(responses.basis.anchors);
  gamma_ = responses.basis.gamma;
  map_ = fit_soft_whitening(responses.values, shards, params.linear.ridge, params.linear.power,
                            threads);
  z_ = apply_to_shards(map_, responses.values, shards, threads);
  mean_squares_ = mean_squares(z_, shards);
}

LearnedBit KernelFamily::best(const PairForm& form, Seed seed, Threads threads) const {
  return fit_smooth_bit(z_, form, smooth_, seed, threads);
}

std::vector<std::int8_t> KernelFamily::signs(const HashFunction& function, const PairForm& form,
                                             Threads threads) const {
  return smooth_signs(z_, form, std::get<LinearFunction>(function), threads);
}

Encoder KernelFamily::assemble(std::span<const LearnedBit> bits, const Dither& dither) const {
  LinearFunctions functions = functions_of(bits);
  add_dither(functions, mean_squares_, dither);
  functions = fold(map_, functions);
  return KernelEncoder{anchors_, static_cast<float>(gamma_), functions.directions.cast<float>(),
                       functions.offsets.cast<float>()};
}

}  // namespace structhash
