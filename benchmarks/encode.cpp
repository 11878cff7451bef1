#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>

#include "structhash/core/linalg.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/hashing/encoder.hpp"

/// Encoding against the float product it cannot do without, one thread, same process: what signs
/// that are certain, packing and blocks cost.  Codes are compared with signs of double products.
/// Exit status 1 if a bit is wrong or the ratio is above the bar.
namespace structhash::bench {
namespace {

constexpr Index kRows = 20'000;
constexpr Index kDimension = 784;
constexpr int kRounds = 9;
constexpr double kBar = 1.6;

Matrix<float> random_matrix(Index rows, Index cols, Seed seed) {
  Rng rng(seed);
  return Matrix<float>::NullaryExpr(rows, cols, [&] { return static_cast<float>(rng.normal()); });
}

template <typename Work>
double seconds(const Work& work) {
  const std::clock_t start = std::clock();  // processor time: others may use the machine
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Index wrong_bits(const LinearEncoder& encoder, const Matrix<float>& x, const CodeMatrix& codes) {
  const Matrix<double> exact =
      (x.cast<double>() * encoder.directions.cast<double>().transpose()).rowwise() +
      encoder.offsets.cast<double>().transpose();
  Index wrong = 0;
  for (Index row = 0; row < x.rows(); ++row) {
    for (Index bit = 0; bit < codes.bits(); ++bit) {
      wrong += codes.bit(row, bit) != (exact(row, bit) > 0.0) ? 1 : 0;
    }
  }
  return wrong;
}

bool run(Index bits) {
  const Matrix<float> x = random_matrix(kRows, kDimension, Seed{1});
  const LinearEncoder encoder{.directions = random_matrix(bits, kDimension, Seed{2}),
                              .offsets = random_matrix(bits, 1, Seed{3})};
  const Index wrong = wrong_bits(encoder, x, encode(encoder, x, 1));
  double product = std::numeric_limits<double>::infinity();
  double encoding = product;
  for (int round = 0; round < kRounds; ++round) {  // in turns, so that both see the same machine
    product = std::min(product, seconds([&] { product_abt(x, encoder.directions, 1); }));
    encoding = std::min(encoding, seconds([&] { encode(encoder, x, 1); }));
  }
  fmt::print(
      "{} x {} to {:3} bits: product {:.1f} ms, encode {:.1f} ms, ratio {:.2f} (bar {}), "
      "wrong bits {}\n",
      kRows, kDimension, bits, 1e3 * product, 1e3 * encoding, encoding / product, kBar, wrong);
  return wrong == 0 && encoding / product <= kBar;
}

}  // namespace
}  // namespace structhash::bench

int main() {
  bool good = true;
  for (const structhash::Index bits : {32, 64, 128}) {
    good = structhash::bench::run(bits) && good;
  }
  return good ? 0 : 1;
}
