#include "evaluation/generated.hpp"

#include <cmath>

#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

constexpr Index kRowsPerStream = 1024;  // each with a random stream of its own

double spread_of_column(Index column) {
  return 1.0 / std::sqrt(1.0 + to_double(column) / 8.0);
}

}  // namespace

Matrix<float> generate(const GeneratedVectors& shape, Threads threads) {
  require(shape.rows >= 1 && shape.dimension >= 1 && shape.clusters >= 1,
          "generated vectors need at least one row, one column and one cluster");
  const Seed seed{shape.seed};
  Matrix<double> centres(shape.clusters, shape.dimension);
  Rng centre_stream(seed.fork("centres"));
  for (Index c = 0; c < shape.clusters; ++c) {
    for (Index column = 0; column < shape.dimension; ++column) {
      centres(c, column) = spread_of_column(column) * centre_stream.normal();
    }
  }
  Matrix<float> x(shape.rows, shape.dimension);
  parallel_for(shape.rows, threads, kRowsPerStream, [&](Index begin, Index end) {
    Rng rng(seed.fork("rows").fork(static_cast<std::uint64_t>(begin / kRowsPerStream)));
    for (Index row = begin; row < end; ++row) {
      const Index c = rng.below(shape.clusters);
      for (Index column = 0; column < shape.dimension; ++column) {
        x(row, column) =
            static_cast<float>(centres(c, column) + spread_of_column(column) * rng.normal());
      }
    }
  });
  return x;
}

}  // namespace structhash
