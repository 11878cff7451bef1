#include "structhash/hashing/kernel_encoder.hpp"

#include <cmath>

#include "hashing/sections.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/linalg.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kRowGrain = 256;

/// The value of one bit in double: the same on every processor for all practical purposes, as
/// exp is the only operation whose last digit may differ.
double exact_value(const KernelEncoder& encoder, const MatrixView& x, Index row, Index bit) {
  double sum = encoder.offsets(bit);
  for (Index j = 0; j < encoder.anchors.rows(); ++j) {
    const double squared =
        (x.row(row).cast<double>() - encoder.anchors.row(j).cast<double>()).squaredNorm();
    sum += static_cast<double>(encoder.directions(bit, j)) *
           std::exp(-static_cast<double>(encoder.gamma) * squared);
  }
  return sum;
}

}  // namespace

Matrix<float> kernel_responses(const MatrixView& x, const MatrixView& anchors, double gamma,
                               int threads) {
  Matrix<float> responses = product_abt(x, anchors, threads);
  const Vector<float> anchor_norms = anchors.rowwise().squaredNorm();
  parallel_for(x.rows(), threads, kRowGrain, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      // ||x - a||^2 = ||x||^2 + ||a||^2 - 2 x.a, never below zero by rounding.
      const float norm = x.row(row).squaredNorm();
      auto response = responses.row(row).array();
      response = (norm + anchor_norms.transpose().array() - 2.0F * response).max(0.0F);
      response = (-static_cast<float>(gamma) * response).exp();
    }
  });
  return responses;
}

void KernelEncoder::check() const {
  require(bits() >= 1 && dimension() >= 1, "a kernel encoder needs directions and anchors");
  require(directions.cols() == anchors.rows() && offsets.size() == bits(),
          "a kernel encoder needs one coefficient per anchor and one offset per bit");
  require(anchors.allFinite() && directions.allFinite() && offsets.allFinite() &&
              std::isfinite(gamma) && gamma > 0.0F,
          "a kernel encoder holds a number that is not finite, or a width that is not positive");
}

/// Two float products for all values; those so close to zero that rounding could have turned their
/// sign are computed again in double, so that a code does not depend on the size of the block.
///
/// A squared distance is wrong by at most (d + 2) u (||x|| + ||a||)^2, u = 2^-24; a response, as
/// t exp(-t) <= 1/e, by gamma times that and a few u; a value by the sum of |directions| times
/// that.
Matrix<float> KernelEncoder::values(const MatrixView& x) const {
  const Matrix<float> responses = kernel_responses(x, anchors, gamma, /*threads=*/1);
  Matrix<float> result = product_abt(responses, directions, /*threads=*/1);
  result.rowwise() += offsets.transpose();
  const double unit = 0x1.0p-24;
  const double anchor_norm = std::sqrt(anchors.cast<double>().rowwise().squaredNorm().maxCoeff());
  const Vector<double> sums = directions.cast<double>().cwiseAbs().rowwise().sum();
  for (Index row = 0; row < x.rows(); ++row) {
    const double reach = x.row(row).cast<double>().norm() + anchor_norm;
    const double error =
        unit * (real(dimension() + 2) * static_cast<double>(gamma) * reach * reach + 16.0 +
                real(anchors.rows()));
    // Errors of independent terms do not line up: their square root is still a wide margin.
    const double margin = std::sqrt(unit) * std::sqrt(error);
    for (Index bit = 0; bit < bits(); ++bit) {
      float& value = result(row, bit);
      const double bound = margin * sums(bit) * 1e-1;
      if (!(std::abs(static_cast<double>(value)) > bound)) {
        const double exact = exact_value(*this, x, row, bit);
        value = static_cast<float>(exact);
        if (exact > 0.0 && value == 0.0F) {
          value = std::numeric_limits<float>::denorm_min();
        }
      }
    }
  }
  return result;
}

void KernelEncoder::save(ContainerWriter& file) const {
  add_matrix(file, "anchors", anchors);
  add_vector(file, "gamma", Vector<float>::Constant(1, gamma));
  add_matrix(file, "directions", directions);
  add_vector(file, "offsets", offsets);
}

KernelEncoder KernelEncoder::load(const Container& file) {
  const Vector<float> gamma = read_vector(file, "gamma");
  if (gamma.size() != 1) {
    file.fail_corrupt("the kernel width is not one number");
  }
  return {.anchors = read_matrix(file, "anchors"),
          .gamma = gamma(0),
          .directions = read_matrix(file, "directions"),
          .offsets = read_vector(file, "offsets")};
}

bool KernelEncoder::operator==(const KernelEncoder& other) const {
  return same(anchors, other.anchors) && gamma == other.gamma &&
         same(directions, other.directions) && same(offsets, other.offsets);
}

}  // namespace structhash
