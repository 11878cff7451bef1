#include "evaluation/product_quantizer.hpp"

#include <fmt/format.h>

#include "hashing/kmeans.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

ProductQuantizer::ProductQuantizer(const MatrixView& x, Index parts, Index iterations, Seed seed,
                                   Threads threads) {
  require(parts >= 1 && x.cols() % parts == 0,
          fmt::format("{} columns cannot be cut into {} equal parts", x.cols(), parts));
  require(x.rows() >= kCentres,
          fmt::format("product quantisation needs {} rows or more, got {}", kCentres, x.rows()));
  const Index width = x.cols() / parts;
  for (Index part = 0; part < parts; ++part) {
    const Matrix<float> columns = x.middleCols(part * width, width);
    centres_.push_back(kmeans(columns, kCentres, iterations,
                              seed.fork(fmt::format("part {}", part)), threads, {}));
  }
}

Matrix<std::uint8_t> ProductQuantizer::encode(const MatrixView& x, Threads threads) const {
  require(x.cols() == parts() * width(),
          fmt::format("vectors of {} columns are needed, got {}", parts() * width(), x.cols()));
  Matrix<std::uint8_t> codes(x.rows(), parts());
  for (Index part = 0; part < parts(); ++part) {
    const Matrix<float> columns = x.middleCols(part * width(), width());
    const std::vector<Index> nearest =
        nearest_centres(columns, centres_[static_cast<std::size_t>(part)], threads);
    for (Index row = 0; row < x.rows(); ++row) {
      codes(row, part) = static_cast<std::uint8_t>(nearest[static_cast<std::size_t>(row)]);
    }
  }
  return codes;
}

Vector<float> ProductQuantizer::decode(std::span<const std::uint8_t> codes) const {
  Vector<float> x(parts() * width());
  for (Index part = 0; part < parts(); ++part) {
    x.segment(part * width(), width()) = centres_[static_cast<std::size_t>(part)]
                                             .row(codes[static_cast<std::size_t>(part)])
                                             .transpose();
  }
  return x;
}

void ProductQuantizer::distances(const Vector<float>& query, const Matrix<std::uint8_t>& codes,
                                 std::span<double> distances) const {
  Matrix<double> table(parts(), kCentres);
  for (Index part = 0; part < parts(); ++part) {
    const Matrix<double> centres = centres_[static_cast<std::size_t>(part)].cast<double>();
    const Vector<double> own = query.segment(part * width(), width()).cast<double>();
    table.row(part) = (centres.rowwise() - own.transpose()).rowwise().squaredNorm().transpose();
  }
  for (Index row = 0; row < codes.rows(); ++row) {
    double sum = 0.0;
    for (Index part = 0; part < parts(); ++part) {
      sum += table(part, codes(row, part));
    }
    distances[static_cast<std::size_t>(row)] = sum;
  }
}

}  // namespace structhash
