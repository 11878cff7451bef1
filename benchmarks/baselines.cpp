#include <fmt/format.h>
#include <sys/resource.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gemm.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/data/split.hpp"
#include "structhash/evaluation/evaluate.hpp"
#include "structhash/relevance/builders.hpp"
#include "support/places.hpp"

/// Training time of every method on MNIST in gemms (gemm.hpp), 64 bits, two threads.
///   bench_baselines             2,000 points, every method
///   bench_baselines NAME...     2,000 points, these methods
///   bench_baselines large       50,000 points: KSH, AGH, ITQ, and the memory they take
namespace structhash::bench {
namespace {

constexpr int kThreads = 2;

/// Rows to train on and rows to ask about, none in common.
struct Rows {
  Dataset train;
  Dataset queries;
};

Rows mnist_rows(Index count) {
  const std::string folder = test::in_shared_data("mnist/");
  const std::vector images{folder + "train-images-idx3-ubyte.gz"};
  const std::vector labels{folder + "train-labels-idx1-ubyte.gz"};
  const Dataset all = load_dataset(images, labels, "mnist", "");
  const Split parts = split(all.size(), 500, count, Seed{1});
  return {all.select(parts.train), all.select(parts.queries)};
}

TrainingSet training_set(const Dataset& train, Supervision supervision) {
  TrainingSet training{.x = train.features, .labels = train.labels, .lists = {}};
  if (supervision == Supervision::lists) {
    training.lists = lists_from_labels(train.labels, {.relevant = 50, .irrelevant = 50},
                                       Seed{1}.fork("lists"), kThreads)
                         .lists;
  }
  return training;
}

/// A model that learned nothing gives 0.1: ten classes of equal size.
double mean_average_precision(const HashModel& model, const Rows& rows) {
  const GroundTruth truth = GroundTruth::from_labels(rows.queries.labels, rows.train.labels);
  const std::vector<std::string> measures{"map"};
  return evaluate(encode(model, rows.train.features, kThreads),
                  encode(model, rows.queries.features, kThreads), {}, truth, measures,
                  {.threads = kThreads})
      .means.front();
}

double bar(std::string_view method) {
  if (method == "structhash") {
    return 100.0;  // chooses its parameters (bench_learner)
  }
  return method == "fasthash" || method == "bres" ? 200.0 : 60.0;
}

bool report(const MethodEntry& entry, const Rows& rows, double gemm, double bar) {
  const TrainingSet training = training_set(rows.train, entry.supervision);
  const auto hasher = entry.make({.bits = 64});
  HashModel model;
  const double seconds = seconds_of(
      wall_seconds, [&] { model = hasher->fit(training, {.seed = Seed{1}, .threads = kThreads}); });
  const double quality = mean_average_precision(model, rows);
  const bool passed = seconds <= bar * gemm && quality > 0.2;
  fmt::print("{:<12} {:8.2f} s {:8.1f} gemm  bar {:5.0f}  mAP {:.3f}  {}\n", entry.name, seconds,
             seconds / gemm, bar, quality, passed ? "pass" : "FAIL");
  std::fflush(stdout);
  return passed;
}

bool large(double gemm) {
  const Rows rows = mnist_rows(50'000);
  bool passed = true;
  for (const std::string_view name : {"itq", "agh", "ksh"}) {
    passed &= report(find_method(name), rows, gemm, 2000.0);
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
  const Rows rows = mnist_rows(2000);
  bool passed = true;
  for (const MethodEntry& entry : methods()) {
    if (names.empty() || std::ranges::find(names, entry.name) != names.end()) {
      passed &= report(entry, rows, gemm, bar(entry.name));
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
  std::vector<double> seconds;
  for (int i = 0; i < 5; ++i) {
    seconds.push_back(product.seconds(cpu_seconds));
  }
  const double gemm = median(seconds);
  fmt::print("a gemm is {:.3f} s of one thread; training on {} threads\n", gemm, kThreads);
  const std::span<char* const> names(argv + 1, argv + argc);
  const bool is_large = !names.empty() && std::string_view(names.front()) == "large";
  return (is_large ? large(gemm) : every(names, gemm)) ? 0 : 1;
}
