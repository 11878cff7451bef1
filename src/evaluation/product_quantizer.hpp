#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/core/types.hpp"

/// Product quantisation of float vectors: a yardstick for codes of the same size (docs/report.md).
namespace structhash {

/// Cuts a vector into equal parts and stores, for each part, the number of its nearest centre: one
/// byte per part.  Queries stay floats: the distance is that to the centres (asymmetric).
class ProductQuantizer {
 public:
  static constexpr Index kCentres = 256;

  /// k-means in each part.  Needs at least `kCentres` rows, and parts that divide the columns.
  ProductQuantizer(const MatrixView& x, Index parts, Index iterations, Seed seed, Threads threads);

  Index parts() const { return std::ssize(centres_); }
  /// Rows x parts.
  Matrix<std::uint8_t> encode(const MatrixView& x, Threads threads) const;
  /// The vector that the codes of a row stand for.
  Vector<float> decode(std::span<const std::uint8_t> codes) const;
  /// distances[i] = sum_p ||q_p - centre_p(codes(i, p))||^2, from a table of parts x centres.
  void distances(const Vector<float>& query, const Matrix<std::uint8_t>& codes,
                 std::span<double> distances) const;

 private:
  Index width() const { return centres_.front().cols(); }

  std::vector<Matrix<float>> centres_;  // by part: kCentres x width
};

}  // namespace structhash
