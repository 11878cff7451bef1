#include <cmath>
#include <limits>

#include "hashing/exact_kernel.hpp"
#include "hashing/kernel_bounds.hpp"
#include "hashing/radial_basis.hpp"
#include "hashing/sections.hpp"
#include "hashing/signs.hpp"
#include "structhash/core/error.hpp"
#include "structhash/hashing/encoders.hpp"

namespace structhash {

void KernelEncoder::check() const {
  require(bits() >= 1 && dimension() >= 1, "a kernel encoder needs directions and anchors");
  require(directions.cols() == anchors.rows() && offsets.size() == bits(),
          "a kernel encoder needs one coefficient per anchor and one offset per bit");
  require(anchors.allFinite() && directions.allFinite() && offsets.allFinite() &&
              std::isfinite(gamma) && gamma > 0.0F,
          "a kernel encoder holds a number that is not finite, or a width that is not positive");
}

/// Float products for all values; those so close to zero that rounding could have turned their sign
/// are computed again in double.  Why: a BLAS sums in an order that depends on the size of the
/// block and the processor, and a code must depend on neither.
///
///   |error of a value| <= (error of a response + k u) sum_j |direction_j| response_j
///
/// for a sum that rounds k times.  Cost: the products; on images of digits with 1,000 anchors one
/// value in a thousand, and so one row in ten, is computed twice.
Matrix<float> KernelEncoder::values(const MatrixView& x) const {
  const Matrix<float> responses = kernel_responses(x, anchors, gamma, /*threads=*/1);
  Matrix<float> result = sliced_product(responses, directions, /*threads=*/1);
  result.rowwise() += offsets.transpose();
  const Matrix<float> sizes = sliced_product(responses, directions.cwiseAbs(), /*threads=*/1);
  const Vector<float> vanished =  // responses below the smallest float
      directions.cwiseAbs().rowwise().sum() * (4.0F * std::numeric_limits<float>::min());
  const double largest_anchor =
      std::sqrt(anchors.cast<double>().rowwise().squaredNorm().maxCoeff());
  std::vector<Index> unsettled;
  for (Index row = 0; row < x.rows(); ++row) {
    const double reach = x.row(row).cast<double>().norm() + largest_anchor;
    const double error = response_error(kFloatUnit, roundings(dimension()), gamma, reach) +
                         2.0 * roundings(anchors.rows()) * kFloatUnit;
    const bool in_range = reach * reach < std::numeric_limits<float>::max() / 4;
    const float scale =
        in_range ? static_cast<float>(1.01 * error) : std::numeric_limits<float>::infinity();
    bool settled = true;
    for (Index bit = 0; bit < bits(); ++bit) {
      const float uncertain = scale * sizes(row, bit) + vanished(bit);
      if (!(std::abs(result(row, bit)) > uncertain)) {  // true for NaN too
        result(row, bit) = std::numeric_limits<float>::quiet_NaN();
        settled = false;
      }
    }
    if (!settled) {
      unsettled.push_back(row);
    }
  }
  const ExactKernel exact(*this);
  for (const Index row : unsettled) {
    const std::vector<double> row_responses = exact.responses(x, row);
    for (Index bit = 0; bit < bits(); ++bit) {
      if (std::isnan(result(row, bit))) {
        result(row, bit) = with_same_sign(exact.value(x, row, bit, row_responses));
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
