#include "hashing/families/dither.hpp"

#include <algorithm>
#include <cmath>

namespace structhash {

Vector<double> mean_squares(const MatrixView& z, const Shards& shards) {
  const std::vector<double> sums = shards.sum(z.cols(), [&](Index shard, std::span<double> part) {
    const RowRange range = shards.rows(shard);
    const auto rows = z.middleRows(range.begin, range.size());
    for (Index column = 0; column < z.cols(); ++column) {
      part[static_cast<std::size_t>(column)] =
          rows.col(column).template cast<double>().squaredNorm();
    }
  });
  return Eigen::Map<const Vector<double>>(sums.data(), z.cols()) / to_double(shards.all_rows());
}

void add_dither(LinearFunctions& functions, const Vector<double>& mean_squares,
                const Dither& dither) {
  const auto rms = [&](const Vector<double>& direction) {
    return std::sqrt(direction.array().square().matrix().dot(mean_squares));
  };
  for (Index bit = 0; dither.size > 0.0 && bit < functions.directions.rows(); ++bit) {
    Rng rng(dither.seed.fork(static_cast<std::uint64_t>(bit)));
    Vector<double> random(mean_squares.size());
    for (double& value : random) {
      value = rng.normal();
    }
    const double size = dither.size * std::min(1.0, to_double(bit) / dither.bits);
    if (const double unit = rms(random); unit > 0.0) {
      functions.directions.row(bit) += size * rms(functions.directions.row(bit)) / unit * random;
    }
  }
}

}  // namespace structhash
