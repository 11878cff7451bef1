#include "hashing/exact_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/linalg.hpp"
#include "hashing/decay.hpp"
#include "hashing/kernel_bounds.hpp"
#include "hashing/simd/sign_panel.hpp"

namespace structhash {
namespace {

constexpr double kMinExponent = -700.0;  // Eigen's exponential stops near the smallest double

/// The definition of a value: in double, term after term.
double exact_value(const KernelEncoder& encoder, const MatrixView& x, Index row, Index bit) {
  double sum = encoder.offsets(bit);
  for (Index j = 0; j < encoder.anchors.rows(); ++j) {
    double squared = 0.0;
    for (Index column = 0; column < x.cols(); ++column) {
      const double difference =
          static_cast<double>(x(row, column)) - static_cast<double>(encoder.anchors(j, column));
      squared += difference * difference;
    }
    sum += static_cast<double>(encoder.directions(bit, j)) *
           decay(static_cast<double>(encoder.gamma) * squared);
  }
  return sum;
}

}  // namespace

double squared_norm(const float* values, Index size) {
  return wide_dot(0.0, values, values, static_cast<std::size_t>(size));
}

ExactKernel::ExactKernel(const KernelEncoder& encoder) : encoder_(encoder) {
  for (Index j = 0; j < encoder.anchors.rows(); ++j) {
    squared_norms_.push_back(squared_norm(&encoder.anchors(j, 0), encoder.dimension()));
  }
  largest_anchor_ = std::sqrt(*std::ranges::max_element(squared_norms_));
}

std::vector<double> ExactKernel::responses(const MatrixView& x, Index row) const {
  const float* features = x.data() + row * x.outerStride();
  const Index depth = encoder_.dimension();
  const double norm = squared_norm(features, depth);
  std::vector<double> result;
  for (Index j = 0; j < encoder_.anchors.rows(); ++j) {
    const double product =
        wide_dot(0.0, features, &encoder_.anchors(j, 0), static_cast<std::size_t>(depth));
    const double t = norm + squared_norms_[static_cast<std::size_t>(j)] - 2.0 * product;
    result.push_back(std::exp(-static_cast<double>(encoder_.gamma) * std::max(t, 0.0)));
  }
  return result;
}

Matrix<double> ExactKernel::responses(const MatrixView& x, std::span<const Index> rows) const {
  const Matrix<float> chosen = x(std::vector(rows.begin(), rows.end()), Eigen::all);
  const Eigen::Map<const Vector<double>> anchors(squared_norms_.data(), std::ssize(squared_norms_));
  Matrix<double> result = wide_product_abt(chosen, encoder_.anchors);
  for (Index row = 0; row < result.rows(); ++row) {
    const double norm = squared_norm(&chosen(row, 0), encoder_.dimension());
    const Eigen::ArrayXd exponents =
        -static_cast<double>(encoder_.gamma) *
        (norm + anchors.array() - 2.0 * result.row(row).transpose().array()).max(0.0);
    if (exponents.minCoeff() > kMinExponent) {
      result.row(row) = exponents.exp().transpose();
    } else {
      result.row(row) = exponents.unaryExpr([](double e) { return std::exp(e); }).transpose();
    }
  }
  return result;
}

double ExactKernel::value(const MatrixView& x, Index row, Index bit,
                          std::span<const double> responses) const {
  const auto offset = static_cast<double>(encoder_.offsets(bit));
  double value = offset;
  double size = std::abs(offset);
  for (std::size_t j = 0; j < responses.size(); ++j) {
    const double term =
        static_cast<double>(encoder_.directions(bit, static_cast<Index>(j))) * responses[j];
    value += term;
    size += std::abs(term);
  }
  const double norm = squared_norm(x.data() + row * x.outerStride(), encoder_.dimension());
  const double error = response_error(kDoubleUnit, to_double(x.cols()), encoder_.gamma,
                                      std::sqrt(norm) + largest_anchor_) +
                       2.0 * to_double(std::ssize(responses) + 1) * kDoubleUnit;
  const bool known = std::abs(value) > error * size + std::numeric_limits<double>::min();
  return known ? value : exact_value(encoder_, x, row, bit);
}

}  // namespace structhash
