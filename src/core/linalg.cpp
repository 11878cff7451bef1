#include "core/linalg.hpp"

#include <cblas.h>

#include <algorithm>
#include <vector>

#include "core/blas.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kRowBlock = 256;      // rows of a product one task computes
constexpr Index kVectorBlock = 1024;  // rows of a matrix-vector product one task computes
constexpr Index kSumBlock = 4096;     // rows summed into one partial result
constexpr Index kGramTile = 256;      // columns of a Gram matrix one task computes
constexpr Index kGramRows = 512;      // rows summed in single precision

}  // namespace

Matrix<float> product_abt(const MatrixView& a, const MatrixView& b, Threads threads) {
  require(a.cols() == b.cols(), "product_abt: the matrices have different numbers of columns");
  prepare_blas();
  Matrix<float> c = Matrix<float>::Zero(a.rows(), b.rows());
  if (a.cols() == 0 || b.rows() == 0) {
    return c;
  }
  parallel_for(a.rows(), threads, kRowBlock, [&](Index begin, Index end) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, to_blas_int(end - begin),
                to_blas_int(b.rows()), to_blas_int(a.cols()), 1.0F,
                a.data() + begin * a.outerStride(), to_blas_int(a.outerStride()), b.data(),
                to_blas_int(b.outerStride()), 0.0F, c.data() + begin * c.cols(),
                to_blas_int(c.cols()));
  });
  return c;
}

Matrix<float> product(const MatrixView& a, const MatrixView& b, Threads threads) {
  require(a.cols() == b.rows(), "product: the inner dimensions differ");
  prepare_blas();
  Matrix<float> c = Matrix<float>::Zero(a.rows(), b.cols());
  if (a.cols() == 0 || b.cols() == 0) {
    return c;
  }
  parallel_for(a.rows(), threads, kRowBlock, [&](Index begin, Index end) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, to_blas_int(end - begin),
                to_blas_int(b.cols()), to_blas_int(a.cols()), 1.0F,
                a.data() + begin * a.outerStride(), to_blas_int(a.outerStride()), b.data(),
                to_blas_int(b.outerStride()), 0.0F, c.data() + begin * c.cols(),
                to_blas_int(c.cols()));
  });
  return c;
}

void product_into(const MatrixView& a, const MatrixView& b,
                  Eigen::Ref<Matrix<float>, 0, Eigen::OuterStride<>> result) {
  require(a.cols() == b.rows() && a.cols() > 0, "product_into: the inner dimensions differ");
  require(result.rows() == a.rows() && result.cols() == b.cols() && result.size() > 0,
          "product_into: the result has another size");
  prepare_blas();
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, to_blas_int(a.rows()),
              to_blas_int(b.cols()), to_blas_int(a.cols()), 1.0F, a.data(),
              to_blas_int(a.outerStride()), b.data(), to_blas_int(b.outerStride()), 0.0F,
              result.data(), to_blas_int(result.outerStride()));
}

Matrix<double> wide_product_abt(const MatrixView& a, const MatrixView& b) {
  require(a.cols() == b.cols(), "wide_product_abt: the matrices have different numbers of columns");
  prepare_blas();
  const Matrix<double> x = a.cast<double>();
  const Matrix<double> y = b.cast<double>();
  Matrix<double> result(a.rows(), b.rows());
  if (result.size() > 0) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, to_blas_int(a.rows()),
                to_blas_int(b.rows()), to_blas_int(a.cols()), 1.0, x.data(), to_blas_int(x.cols()),
                y.data(), to_blas_int(y.cols()), 0.0, result.data(), to_blas_int(result.cols()));
  }
  return result;
}

Matrix<float> narrow_product_atb(const MatrixView& a, const MatrixView& b) {
  require(a.rows() == b.rows(), "narrow_product_atb: the matrices have different numbers of rows");
  prepare_blas();
  Matrix<float> result = Matrix<float>::Zero(a.cols(), b.cols());
  if (result.size() > 0 && a.rows() > 0) {
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, to_blas_int(a.cols()),
                to_blas_int(b.cols()), to_blas_int(a.rows()), 1.0F, a.data(),
                to_blas_int(a.outerStride()), b.data(), to_blas_int(b.outerStride()), 0.0F,
                result.data(), to_blas_int(result.cols()));
  }
  return result;
}

Matrix<double> product_atb(const MatrixView& a, const MatrixView& b, Threads threads) {
  require(a.rows() == b.rows(), "product_atb: the matrices have different numbers of rows");
  prepare_blas();
  const Index chunks = chunk_count(a.rows(), kSumBlock);
  std::vector<Matrix<double>> partial(static_cast<std::size_t>(chunks));
  parallel_for(a.rows(), threads, kSumBlock, [&](Index begin, Index end) {
    const Matrix<double> x = a.middleRows(begin, end - begin).cast<double>();
    const Matrix<double> y = b.middleRows(begin, end - begin).cast<double>();
    Matrix<double>& sum = partial[static_cast<std::size_t>(begin / kSumBlock)];
    sum.resize(a.cols(), b.cols());
    if (sum.size() > 0) {
      cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, to_blas_int(a.cols()),
                  to_blas_int(b.cols()), to_blas_int(end - begin), 1.0, x.data(),
                  to_blas_int(x.cols()), y.data(), to_blas_int(y.cols()), 0.0, sum.data(),
                  to_blas_int(sum.cols()));
    }
  });
  Matrix<double> total = Matrix<double>::Zero(a.cols(), b.cols());
  for (const Matrix<double>& sum : partial) {
    total += sum;
  }
  return total;
}

Matrix<double> gram(const MatrixView& a, Threads threads) {
  prepare_blas();
  Matrix<double> sums = Matrix<double>::Zero(a.cols(), a.cols());
  const Index tiles = chunk_count(a.cols(), kGramTile);
  const auto width = [&](Index tile) { return std::min(kGramTile, a.cols() - tile * kGramTile); };
  parallel_for(tiles * tiles, threads, 1, [&](Index at, Index) {
    const Index i = at / tiles;
    const Index j = at % tiles;
    if (i > j) {
      return;
    }
    Matrix<float> part(width(i), width(j));
    auto sum = sums.block(i * kGramTile, j * kGramTile, width(i), width(j));
    for (Index row = 0; row < a.rows(); row += kGramRows) {
      const float* rows = a.data() + row * a.outerStride();
      cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, to_blas_int(width(i)),
                  to_blas_int(width(j)), to_blas_int(std::min(kGramRows, a.rows() - row)), 1.0F,
                  rows + i * kGramTile, to_blas_int(a.outerStride()), rows + j * kGramTile,
                  to_blas_int(a.outerStride()), 0.0F, part.data(), to_blas_int(part.cols()));
      sum += part.cast<double>();
    }
  });
  sums.triangularView<Eigen::StrictlyLower>() = sums.transpose();
  return sums;
}

void matrix_vector(const MatrixView& a, const Vector<float>& x, Vector<float>& result,
                   Threads threads) {
  require(a.cols() == x.size(), "matrix_vector: the inner dimensions differ");
  prepare_blas();
  result.resize(a.rows());
  parallel_for(a.rows(), threads, kVectorBlock, [&](Index begin, Index end) {
    cblas_sgemv(CblasRowMajor, CblasNoTrans, to_blas_int(end - begin), to_blas_int(a.cols()), 1.0F,
                a.data() + begin * a.outerStride(), to_blas_int(a.outerStride()), x.data(), 1, 0.0F,
                result.data() + begin, 1);
  });
}

void transposed_vector(const MatrixView& a, const Vector<float>& x, Vector<float>& result,
                       Threads threads) {
  require(a.rows() == x.size(), "transposed_vector: the inner dimensions differ");
  prepare_blas();
  const Index blocks = chunk_count(a.rows(), kVectorBlock);
  Matrix<float> partial(blocks, a.cols());
  parallel_for(a.rows(), threads, kVectorBlock, [&](Index begin, Index end) {
    cblas_sgemv(CblasRowMajor, CblasTrans, to_blas_int(end - begin), to_blas_int(a.cols()), 1.0F,
                a.data() + begin * a.outerStride(), to_blas_int(a.outerStride()), x.data() + begin,
                1, 0.0F, partial.row(begin / kVectorBlock).data(), 1);
  });
  result = partial.colwise().sum();
}

}  // namespace structhash
