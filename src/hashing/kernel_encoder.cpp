#include <cmath>
#include <vector>

#include "hashing/exact_kernel.hpp"
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

/// In double, row by row: a BLAS would sum in an order that depends on the block and the processor.
/// `encode` does not pass here; it sums in float where the sign is certain (kernel_signs.hpp).
Matrix<float> KernelEncoder::values(const MatrixView& x) const {
  const ExactKernel exact(*this);
  Matrix<float> result(x.rows(), bits());
  for (Index row = 0; row < x.rows(); ++row) {
    const std::vector<double> responses = exact.responses(x, row);
    for (Index bit = 0; bit < bits(); ++bit) {
      result(row, bit) = with_same_sign(exact.value(x, row, bit, responses));
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

KernelEncoder KernelEncoder::first_bits(Index count) const {
  return {.anchors = anchors,
          .gamma = gamma,
          .directions = directions.topRows(count),
          .offsets = offsets.head(count)};
}

}  // namespace structhash
