#include "hashing/radial_basis.hpp"
#include "structhash/hashing/encoders.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/linalg.hpp"
#include "hashing/exact_kernel.hpp"
#include "hashing/kernel_bounds.hpp"
#include "hashing/sections.hpp"
#include "hashing/signs.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kRowGrain = 256;

/// a * b^T, summed slice by slice of columns.
Matrix<float> sliced_product(const MatrixView& a, const MatrixView& b, Threads threads) {
  const auto slice = [&](Index first) {
    const Index columns = std::min(kSlice, a.cols() - first);
    return product_abt(a.middleCols(first, columns), b.middleCols(first, columns), threads);
  };
  Matrix<float> sum = slice(0);
  for (Index first = kSlice; first < a.cols(); first += kSlice) {
    sum += slice(first);
  }
  return sum;
}

/// Mean of ||x_i - a_j||^2 over all rows and anchors, from means and norms alone.
double mean_squared_distance(const MatrixView& x, const Shards& shards, const MatrixView& anchors) {
  // The sum of the squared norms of the rows, then the sum of the rows.
  const auto add_rows = [](const MatrixView& m, std::span<double> sums) {
    sums[0] = m.cast<double>().rowwise().squaredNorm().sum();
    Eigen::Map<Vector<double>>(sums.data() + 1, m.cols()) =
        m.cast<double>().colwise().sum().transpose();
  };
  const std::vector<double> sums =
      shards.sum(x.cols() + 1, [&](Index shard, std::span<double> part) {
        const RowRange rows = shards.rows(shard);
        add_rows(x.middleRows(rows.begin, rows.size()), part);
      });
  std::vector<double> of_anchors(sums.size());
  add_rows(anchors, of_anchors);
  const auto mean = [](const std::vector<double>& total, Index rows) -> Vector<double> {
    return Eigen::Map<const Vector<double>>(total.data(), std::ssize(total)) / to_double(rows);
  };
  const Vector<double> rows = mean(sums, shards.all_rows());
  const Vector<double> others = mean(of_anchors, anchors.rows());
  return rows(0) + others(0) - 2.0 * rows.tail(x.cols()).dot(others.tail(x.cols()));
}

}  // namespace

Matrix<float> kernel_responses(const MatrixView& x, const MatrixView& anchors, double gamma,
                               Threads threads) {
  Matrix<float> responses = sliced_product(x, anchors, threads);
  const Vector<float> anchor_norms = anchors.cast<double>().rowwise().squaredNorm().cast<float>();
  parallel_for(x.rows(), threads, kRowGrain, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      // ||x - a||^2 = ||x||^2 + ||a||^2 - 2 x.a, never below zero by rounding.
      const auto norm = static_cast<float>(x.row(row).cast<double>().squaredNorm());
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

RadialBasis draw_radial_basis(const MatrixView& x, Index count, double width, Seed seed) {
  return draw_radial_basis(x, Shards(x.rows()), count, width, seed);
}

RadialBasis draw_radial_basis(const MatrixView& x, const Shards& shards, Index count, double width,
                              Seed seed) {
  require(count >= 1, "anchors must be at least 1");
  require(width > 0.0 && std::isfinite(width), "width must be a positive number");
  Rng rng(seed);
  const Index all = shards.all_rows();
  std::vector<Index> rows = sample_without_replacement(all, std::min(count, all), rng);
  std::ranges::sort(rows);
  Matrix<float> anchors = shards.gather_rows(x, rows);
  const double spread = mean_squared_distance(x, shards, anchors);
  require(spread > 0.0, "all training rows are equal: there is nothing to learn from");
  return {std::move(anchors), 1.0 / (2.0 * width * spread)};
}

}  // namespace structhash
