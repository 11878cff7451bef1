#include "core/half_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/linalg.hpp"
#include "core/simd/half_products.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kHalfBlock = 256;     // rows that one task multiplies
constexpr Index kHalfSumBlock = 512;  // rows summed in single precision

Index padded(Index columns) {
  const auto lanes = static_cast<Index>(simd::kHalfLanes);
  return (columns + lanes - 1) / lanes * lanes;
}

/// The nearest half; 0 for values so small that instruction sets disagree about them.
std::uint16_t to_half(float value) {
  constexpr float kSmallest = 6.2e-5F;
  return std::abs(value) < kSmallest ? std::uint16_t{0} : Eigen::half(value).x;
}

Vector<float> padded(const Vector<float>& x, Index size) {
  Vector<float> wide = Vector<float>::Zero(size);
  wide.head(x.size()) = x;
  return wide;
}

}  // namespace

HalfMatrix::HalfMatrix(const MatrixView& a, const Vector<float>& scales, Threads threads)
    : rows_(a.rows()),
      cols_(scales.size()),
      stride_(padded(cols_)),
      values_(static_cast<std::size_t>(rows_ * stride_)) {
  require(cols_ <= a.cols(), "HalfMatrix: more scales than columns");
  parallel_for(rows_, threads, kHalfBlock, [&](Index begin, Index end) {
    for (Index at = begin; at < end; ++at) {
      for (Index column = 0; column < cols_; ++column) {
        values_[static_cast<std::size_t>(at * stride_ + column)] =
            to_half(a(at, column) * scales(column));
      }
    }
  });
}

HalfMatrix HalfMatrix::diagonal(std::vector<HalfMatrix> blocks) {
  HalfMatrix all;
  for (const HalfMatrix& block : blocks) {
    all.rows_ += block.rows();
    all.cols_ += block.cols();
  }
  all.blocks_ = std::move(blocks);
  return all;
}

/// Calls use(block, its rows in the range, their place in the range, its first column) for every
/// block with rows in the range; false if the matrix is not block diagonal.
template <typename Use>
bool HalfMatrix::visit_blocks(RowRange rows, const Use& use) const {
  Index first_row = 0;
  Index first_column = 0;
  for (const HalfMatrix& block : blocks_) {
    const RowRange own{std::max<Index>(rows.begin - first_row, 0),
                       std::min(rows.end - first_row, block.rows())};
    if (own.begin < own.end) {
      use(block, own, first_row + own.begin - rows.begin, first_column);
    }
    first_row += block.rows();
    first_column += block.cols();
  }
  return !blocks_.empty();
}

void HalfMatrix::times(RowRange rows, const Vector<float>& x, std::span<float> result,
                       Threads threads) const {
  require(x.size() == cols_ && std::ssize(result) == rows.size(),
          "HalfMatrix: the dimensions of a product differ");
  const auto in_block = [&](const HalfMatrix& block, RowRange own, Index place, Index column) {
    block.times(
        own, x.segment(column, block.cols()),
        result.subspan(static_cast<std::size_t>(place), static_cast<std::size_t>(own.size())),
        threads);
  };
  if (visit_blocks(rows, in_block)) {
    return;
  }
  const Vector<float> wide = padded(x, stride_);
  parallel_for(rows.size(), threads, kHalfBlock, [&](Index begin, Index end) {
    simd::half_times_vector(row(rows.begin + begin), static_cast<std::size_t>(end - begin),
                            static_cast<std::size_t>(stride_), wide.data(), result.data() + begin);
  });
}

void HalfMatrix::transposed_times(RowRange rows, std::span<const float> x, Vector<float>& result,
                                  Threads threads) const {
  require(std::ssize(x) == rows.size(), "HalfMatrix: the dimensions of a product differ");
  if (!blocks_.empty()) {
    result = Vector<float>::Zero(cols_);
  }
  const auto in_block = [&](const HalfMatrix& block, RowRange own, Index place, Index column) {
    Vector<float> part;
    block.transposed_times(
        own, x.subspan(static_cast<std::size_t>(place), static_cast<std::size_t>(own.size())), part,
        threads);
    result.segment(column, part.size()) = part;
  };
  if (visit_blocks(rows, in_block)) {
    return;
  }
  Matrix<float> partial = Matrix<float>::Zero(chunk_count(rows.size(), kHalfBlock), stride_);
  parallel_for(rows.size(), threads, kHalfBlock, [&](Index begin, Index end) {
    simd::add_half_rows(row(rows.begin + begin), static_cast<std::size_t>(end - begin),
                        static_cast<std::size_t>(stride_), x.data() + begin,
                        partial.row(begin / kHalfBlock).data());
  });
  result = partial.leftCols(cols_).colwise().sum();
}

Matrix<float> HalfMatrix::floats(RowRange rows) const {
  Matrix<float> values(rows.size(), stride_);
  simd::halves_to_floats(row(rows.begin), static_cast<std::size_t>(values.size()), values.data());
  return values;
}

Matrix<float> HalfMatrix::times(RowRange rows, const Matrix<float>& x, Threads threads) const {
  require(x.rows() == cols_, "HalfMatrix: the dimensions of a product differ");
  Matrix<float> result(rows.size(), x.cols());
  const auto in_block = [&](const HalfMatrix& block, RowRange own, Index place, Index column) {
    result.middleRows(place, own.size()) =
        block.times(own, Matrix<float>(x.middleRows(column, block.cols())), threads);
  };
  if (visit_blocks(rows, in_block)) {
    return result;
  }
  parallel_for(rows.size(), threads, kHalfBlock, [&](Index begin, Index end) {
    product_into(floats({rows.begin + begin, rows.begin + end}).leftCols(cols_), x,
                 result.middleRows(begin, end - begin));
  });
  return result;
}

Matrix<double> HalfMatrix::transposed_times(RowRange rows, const MatrixView& x,
                                            Threads threads) const {
  require(x.rows() == rows.size(), "HalfMatrix: the dimensions of a product differ");
  Matrix<double> sum = Matrix<double>::Zero(cols_, x.cols());
  const auto in_block = [&](const HalfMatrix& block, RowRange own, Index place, Index column) {
    sum.middleRows(column, block.cols()) =
        block.transposed_times(own, x.middleRows(place, own.size()), threads);
  };
  if (visit_blocks(rows, in_block)) {
    return sum;
  }
  std::vector<Matrix<float>> partial(
      static_cast<std::size_t>(chunk_count(rows.size(), kHalfSumBlock)));
  parallel_for(rows.size(), threads, kHalfSumBlock, [&](Index begin, Index end) {
    partial[static_cast<std::size_t>(begin / kHalfSumBlock)] =
        narrow_product_atb(floats({rows.begin + begin, rows.begin + end}).leftCols(cols_),
                           x.middleRows(begin, end - begin));
  });
  for (const Matrix<float>& part : partial) {
    sum += part.cast<double>();
  }
  return sum;
}

}  // namespace structhash
