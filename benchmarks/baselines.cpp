#include <fmt/format.h>
#include <sys/resource.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/places.hpp"
#include "training.hpp"

/// Training time of every method on MNIST in gemms (gemm.hpp), 64 bits, two threads.
///   bench_baselines             2,000 points, every method
///   bench_baselines NAME...     2,000 points, these methods
///   bench_baselines large       50,000 points: KSH, AGH, ITQ, and the memory they take
namespace structhash::bench {
namespace {

Task mnist_task(Index train) {
  const std::string folder = test::in_shared_data("mnist/");
  const std::vector images{folder + "train-images-idx3-ubyte.gz"};
  const std::vector labels{folder + "train-labels-idx1-ubyte.gz"};
  return draw_task(load_dataset(images, labels, "mnist"), 500, train);
}

double bar(std::string_view method) {
  if (method == "structhash") {
    return 12.0;
  }
  return method == "fasthash" || method == "bres" ? 200.0 : 60.0;
}

/// A model that learned nothing gives an mAP of 0.1: ten classes of equal size.
bool report(const MethodEntry& entry, const Task& task, double gemm, double bar) {
  const auto [model, seconds] = train(entry, {.bits = 64}, task.train);
  const double quality = mean_average_precision(model, task);
  const bool passed = seconds <= bar * gemm && quality > 0.2;
  fmt::print("{:<12} {:8.2f} s {:8.1f} gemm  bar {:5.0f}  mAP {:.3f}  {}\n", entry.name, seconds,
             seconds / gemm, bar, quality, passed ? "pass" : "FAIL");
  std::fflush(stdout);
  return passed;
}

bool large(double gemm) {
  const Task task = mnist_task(50'000);
  bool passed = true;
  for (const std::string_view name : {"itq", "agh", "ksh"}) {
    passed &= report(find_method(name), task, gemm, 2000.0);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  // Squared, 50,000 points are 10 GB as floats; the images themselves are 0.15.
  const double gigabytes = static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
  fmt::print("peak memory {:.2f} GiB, bar 4.00  {}\n", gigabytes,
             gigabytes < 4.0 ? "pass" : "FAIL");
  return passed && gigabytes < 4.0;
}

bool every(std::span<char* const> names, double gemm) {
  const Task task = mnist_task(2000);
  bool passed = true;
  for (const MethodEntry& entry : methods()) {
    if (names.empty() || std::ranges::find(names, entry.name) != names.end()) {
      passed &= report(entry, task, gemm, bar(entry.name));
    }
  }
  return passed;
}

}  // namespace
}  // namespace structhash::bench

int main(int argc, char** argv) {
  using namespace structhash::bench;
  if (!std::filesystem::exists(structhash::test::in_shared_data("mnist"))) {
    fmt::print("skipped: needs MNIST in {}\n", structhash::test::in_shared_data("mnist"));
    return 0;
  }
  Gemm product;
  const double gemm = product.unit();
  fmt::print("a gemm is {:.3f} s of one thread; training on {} threads\n", gemm, kThreads);
  const std::span<char* const> names(argv + 1, argv + argc);
  const bool is_large = !names.empty() && std::string_view(names.front()) == "large";
  return (is_large ? large(gemm) : every(names, gemm)) ? 0 : 1;
}
