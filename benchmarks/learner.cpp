#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <string>
#include <vector>

#include "gemm.hpp"
#include "learner/structhash.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/relevance/builders.hpp"

/// Training time in gemms (gemm.hpp) on two threads, and how it grows with points and bits.
///   bench_learner           the bars at 2,000 points
///   bench_learner growth    doubling series of points and of bits
namespace structhash::bench {
namespace {

constexpr int kThreads = 2;

/// Ten Gaussian classes that overlap: centres in 20 of the dimensions, noise in all.
TrainingSet classes(Index rows, Index dimension) {
  Rng rng(Seed{7});
  Matrix<double> centres = Matrix<double>::Zero(10, dimension);
  for (Index c = 0; c < 10; ++c) {
    for (Index column = 0; column < 20; ++column) {
      centres(c, column) = 1.5 * rng.normal();
    }
  }
  TrainingSet data;
  data.x.resize(rows, dimension);
  for (Index row = 0; row < rows; ++row) {
    const Index c = rng.below(10);
    data.labels.classes.push_back(static_cast<int>(c));
    for (Index column = 0; column < dimension; ++column) {
      const double scale = 1.0 / std::sqrt(1.0 + to_double(column) / 20.0);  // a falling spectrum
      data.x(row, column) = static_cast<float>(centres(c, column) + 1.5 * scale * rng.normal());
    }
  }
  data.lists =
      lists_from_labels(data.labels, {.relevant = 50, .irrelevant = 50}, Seed{1}, kThreads).lists;
  return data;
}

StructHashParams fixed_params(Functions functions, Index bits) {
  StructHashParams params;
  params.functions = functions;
  params.bits = bits;
  params.trade_off = 30.0;
  params.ridge = functions == Functions::kernel ? 1e-4 : 0.02;
  params.penalty = 0.3;
  params.width = 0.35;
  params.shrinkage = 0.5;
  params.anchors = 300;
  return params;
}

double train_seconds(const TrainingSet& data, const StructHashParams& params) {
  HashModel model;
  const double seconds = seconds_of(wall_seconds, [&] {
    model = fit_structhash(data, params, {.seed = Seed{1}, .threads = kThreads});
  });
  check(model);  // finite, as many weights as bits
  return seconds;
}

bool report(const std::string& what, double seconds, double gemm, double bar) {
  const double ratio = seconds / gemm;
  fmt::print("{:<44} {:7.2f} s {:7.1f} gemm  bar {:5.1f}  {}\n", what, seconds, ratio, bar,
             ratio <= bar ? "pass" : "FAIL");
  return ratio <= bar;
}

bool bars(double gemm) {
  const TrainingSet data = classes(2000, 512);
  bool passed = true;
  const StructHashParams linear = fixed_params(Functions::linear, 64);
  passed &= report("linear, 64 bits, fixed parameters", train_seconds(data, linear), gemm, 20.0);
  passed &= report("kernel, 300 anchors, fixed parameters",
                   train_seconds(data, fixed_params(Functions::kernel, 64)), gemm, 20.0);
  StructHashParams stage_wise = linear;
  stage_wise.stage_wise = true;
  passed &= report("linear, stage-wise", train_seconds(data, stage_wise), gemm, 6.0);
  StructHashParams automatic;
  passed &= report("linear, parameters chosen", train_seconds(data, automatic), gemm, 100.0);
  return passed;
}

bool growth() {
  bool passed = true;
  double previous = 0.0;
  for (const Index rows : {2000, 4000, 8000, 16'000, 32'000}) {
    const TrainingSet data = classes(rows, 128);
    const double seconds = train_seconds(data, fixed_params(Functions::linear, 64));
    const bool good = previous == 0.0 || seconds <= 2.3 * previous;
    fmt::print("{:6} points {:8.2f} s  {}\n", rows, seconds,
               previous == 0.0
                   ? ""
                   : fmt::format("x {:.2f}  {}", seconds / previous, good ? "pass" : "FAIL"));
    passed &= good;
    previous = seconds;
  }
  previous = 0.0;
  const TrainingSet data = classes(2000, 128);
  for (const Index bits : {16, 32, 64, 128}) {
    const double seconds = train_seconds(data, fixed_params(Functions::linear, bits));
    const bool good = previous == 0.0 || seconds <= 2.5 * previous;
    fmt::print("{:6} bits   {:8.2f} s  {}\n", bits, seconds,
               previous == 0.0
                   ? ""
                   : fmt::format("x {:.2f}  {}", seconds / previous, good ? "pass" : "FAIL"));
    passed &= good;
    previous = seconds;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double gigabytes = static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
  fmt::print("peak memory {:.2f} GiB, bar 2.00  {}\n", gigabytes,
             gigabytes < 2.0 ? "pass" : "FAIL");
  return passed && gigabytes < 2.0;
}

}  // namespace
}  // namespace structhash::bench

int main(int argc, char** argv) {
  using namespace structhash::bench;
  if (argc > 1 && std::string(argv[1]) == "growth") {
    return growth() ? 0 : 1;
  }
  Gemm gemm;
  std::vector<double> seconds;
  for (int i = 0; i < 5; ++i) {
    seconds.push_back(gemm.seconds(cpu_seconds));
  }
  fmt::print("a gemm is {:.3f} s of one thread; training on {} threads\n", median(seconds), 2);
  return bars(median(seconds)) ? 0 : 1;
}
