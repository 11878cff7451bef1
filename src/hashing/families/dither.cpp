#include "hashing/families/dither.hpp"

#include <algorithm>
#include <cmath>

#include "data/related_rows.hpp"

namespace structhash {
namespace {

constexpr double kDitherBitsPerClass = 7.0;
constexpr double kUnlabelledShare = 0.1;  // of related pairs, where there are no labels to count
constexpr Index kMaxCountedRows = 1'000;  // enough for a mean

}  // namespace

Dither model_dither(double size, const Labels& labels, const Shards& shards, Seed seed) {
  if (size == 0.0) {
    return {};
  }
  const double share = labels.empty() ? kUnlabelledShare : related_share(labels, shards);
  return {.size = size,
          .bits = std::max(1.0, kDitherBitsPerClass * (1.0 / share - 1.0)),
          .seed = seed.fork("dither")};
}

double related_share(const Labels& labels, const Shards& shards) {
  const Index max_rows = kMaxCountedRows / shards.total() + 1;
  const std::vector<double> sums = shards.sum(2, [&](Index shard, std::span<double> part) {
    const RowRange rows = shards.rows(shard);
    const RelatedRows related(labels, rows);
    const Index stride = std::max<Index>(1, rows.size() / max_rows);
    for (Index row = rows.begin; row < rows.end; row += stride) {
      part[0] += to_double(related.of(row) + 1);  // and itself
      part[1] += to_double(rows.size());
    }
  });
  return sums[0] / sums[1];
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

void add_dither(LinearFunctions& functions, const Vector<double>& variances,
                const Whitening& whitening, const Dither& dither) {
  if (dither.size == 0.0) {
    return;
  }
  const Vector<double> factors = scales(variances, whitening);
  auto components = functions.directions.leftCols(factors.size());
  LinearFunctions white{components * factors.cwiseInverse().asDiagonal(), functions.offsets};
  add_dither(white, shares(variances, whitening).head(factors.size()), dither);
  components = white.directions * factors.asDiagonal();
}

}  // namespace structhash
