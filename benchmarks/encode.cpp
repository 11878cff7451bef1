#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>

#include "core/linalg.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/hashing/encoder.hpp"

/// Encoding against the float products it consists of, one thread, same process: what certain
/// signs, packing, distances and exponentials cost beyond them.  Codes are compared with signs of
/// double sums.  Exit status 1 if a bit is wrong or a ratio is above its bar.
/// benchmarks/encode_faiss.py compares with Faiss.
namespace structhash::bench {
namespace {

constexpr int kRounds = 9;

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

Index wrong_bits(const Matrix<double>& exact, const CodeMatrix& codes) {
  Index wrong = 0;
  for (Index row = 0; row < exact.rows(); ++row) {
    for (Index bit = 0; bit < codes.bits(); ++bit) {
      wrong += codes.bit(row, bit) != (exact(row, bit) > 0.0) ? 1 : 0;
    }
  }
  return wrong;
}

/// Prints one line; `products` is what `encoding` is compared with.
template <typename Products, typename Encoding>
bool compare(const std::string& what, double bar, Index wrong, const Products& products,
             const Encoding& encoding) {
  double product = std::numeric_limits<double>::infinity();
  double encode = product;
  for (int round = 0; round < kRounds; ++round) {  // in turns, so that both see the same machine
    product = std::min(product, seconds(products));
    encode = std::min(encode, seconds(encoding));
  }
  const bool good = wrong == 0 && encode <= bar * product;
  fmt::print(
      "{:<40} products {:6.1f} ms, encode {:6.1f} ms, ratio {:.2f} (bar {}), wrong bits {}  {}\n",
      what, 1e3 * product, 1e3 * encode, encode / product, bar, wrong, good ? "pass" : "FAIL");
  return good;
}

bool run_linear(Index dimension, Index bits, double bar) {
  const Matrix<float> x = random_matrix(20'000, dimension, Seed{1});
  const LinearEncoder encoder{.directions = random_matrix(bits, dimension, Seed{2}),
                              .offsets = random_matrix(bits, 1, Seed{3})};
  const Matrix<double> exact =
      (x.cast<double>() * encoder.directions.cast<double>().transpose()).rowwise() +
      encoder.offsets.cast<double>().transpose();
  return compare(
      fmt::format("linear, {} features to {} bits", dimension, bits), bar,
      wrong_bits(exact, encode(encoder, x, 1)), [&] { product_abt(x, encoder.directions, 1); },
      [&] { encode(encoder, x, 1); });
}

bool run_kernel(Index dimension, Index count, double bar) {
  const Matrix<float> x = random_matrix(10'000, dimension, Seed{1});
  const Matrix<float> anchors = random_matrix(count, dimension, Seed{4});
  const KernelEncoder encoder{.anchors = anchors,
                              .gamma = 0.5F / static_cast<float>(dimension),
                              .directions = random_matrix(64, count, Seed{2}),
                              .offsets = random_matrix(64, 1, Seed{3}) * 0.1F};
  const Matrix<float> sample = x.topRows(200);
  Matrix<double> responses(200, count);
  for (Index row = 0; row < 200; ++row) {
    for (Index j = 0; j < count; ++j) {
      const auto gap = (sample.row(row).cast<double>() - anchors.row(j).cast<double>()).eval();
      responses(row, j) = std::exp(-static_cast<double>(encoder.gamma) * gap.squaredNorm());
    }
  }
  const Matrix<double> exact =
      (responses * encoder.directions.cast<double>().transpose()).rowwise() +
      encoder.offsets.cast<double>().transpose();
  return compare(
      fmt::format("kernel, {} anchors of {} features", count, dimension), bar,
      wrong_bits(exact, encode(encoder, sample, 1)),
      [&] {
        const Matrix<float> dots = product_abt(x, anchors, 1);
        product_abt(dots, encoder.directions, 1);
      },
      [&] { encode(encoder, x, 1); });
}

}  // namespace
}  // namespace structhash::bench

int main() {
  using namespace structhash::bench;
  bool good = true;
  for (const structhash::Index dimension : {512, 784}) {
    good = run_linear(dimension, 64, 0.85) && good;
    good = run_kernel(dimension, 300, 1.05) && good;
  }
  good = run_kernel(384, 2000, 1.1) && good;  // sentence embeddings, the default anchors
  good = run_linear(784, 32, 1.0) && good;
  good = run_linear(784, 128, 1.0) && good;
  return good ? 0 : 1;
}
