#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "gemm.hpp"
#include "ranking/row_oracle.hpp"
#include "ranking/training_gains.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/ranking/measures.hpp"
#include "support/scalar_row_oracle.hpp"

/// One pass of the row oracle over 2,000 lists of 50 + 50 items, one thread, for every measure, in
/// gemms: bars 0.003 for AUC and 0.02 for the others.  Every result is compared with the scalar
/// twin first.  Exit status 1 if a result is wrong or a bar is missed.
namespace structhash::bench {
namespace {

constexpr Index kLists = 2'000;
constexpr Index kSide = 50;
constexpr Index kBlock = 100;  // lists per call, as the learner calls it
constexpr int kRounds = 15;
constexpr double kBarAuc = 0.003;
constexpr double kBar = 0.02;

struct Task {
  std::string name;
  GainTable gains;
  std::vector<double> seconds;
};

/// Weighted Hamming distances of a half-trained model: overlapping groups, with ties.
std::vector<float> make_distances() {
  Rng rng(Seed{1}.fork("benchmark/oracle"));
  std::vector<float> distances;
  for (Index list = 0; list < kLists; ++list) {
    for (Index item = 0; item < 2 * kSide; ++item) {
      const double centre = item < kSide ? 0.8 : 1.2;
      distances.push_back(static_cast<float>(std::round((centre + 0.3 * rng.normal()) * 64) / 64));
    }
  }
  return distances;
}

class Pass {
 public:
  Pass() : distances_(make_distances()), inversions_(distances_.size()), losses_(kLists) {}

  void run(const GainTable& gains) {
    const std::span<const float> distances(distances_);
    const std::span<std::uint16_t> inversions(inversions_);
    const std::span<double> losses(losses_);
    for (std::size_t list = 0; list < kLists; list += kBlock) {
      most_violated_batch(gains, distances.subspan(list * kItems, kBlock * kItems),
                          inversions.subspan(list * kItems, kBlock * kItems),
                          losses.subspan(list, kBlock));
    }
  }

  bool equals_scalar_twin(const GainTable& gains) {
    run(gains);
    for (std::size_t list = 0; list < kLists; ++list) {
      const auto expected = test::scalar_row_oracle(
          gains, std::span<const float>(distances_).subspan(list * kItems, kItems));
      if (std::abs(losses_[list] - expected.loss) > 1e-12 ||
          std::memcmp(&inversions_[list * kItems], expected.inversions.data(),
                      kItems * sizeof(std::uint16_t)) != 0) {
        return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kItems = 2 * kSide;
  std::vector<float> distances_;
  std::vector<std::uint16_t> inversions_;
  std::vector<double> losses_;
};

int run() {
  Pass pass;
  Gemm gemm;
  bool good = gemm.correct();
  std::vector<Task> tasks;
  for (const MeasureEntry& entry : measures()) {
    if (entry.gains == nullptr) {
      continue;
    }
    const std::string name = std::string(entry.name) + (entry.cutoff == CutOff::rank ? "@100" : "");
    tasks.push_back({name, GainTable(*make_measure(name), kSide, kSide), {}});
    if (!pass.equals_scalar_twin(tasks.back().gains)) {
      fmt::print("{}: WRONG, differs from the scalar twin\n", name);
      good = false;
    }
  }
  std::vector<double> gemms;
  for (int round = 0; round < kRounds; ++round) {
    gemms.push_back(gemm.seconds(cpu_seconds));
    for (Task& task : tasks) {
      pass.run(task.gains);  // the distances are in the cache when the learner asks
      task.seconds.push_back(seconds_of(cpu_seconds, [&] { pass.run(task.gains); }));
    }
  }
  const double unit = median(gemms);
  fmt::print("row oracle, {} lists of {} + {}, one thread; a gemm is {:.1f} ms\n", kLists, kSide,
             kSide, 1e3 * unit);
  for (const Task& task : tasks) {
    const double bar = task.gains.counts_pairs() ? kBarAuc : kBar;
    const double ratio = median(task.seconds) / unit;
    good = good && ratio <= bar;
    fmt::print("{:<14} {:8.3f} ms  {:.5f} gemm  bar {:.3f}  {}\n", task.name,
               1e3 * median(task.seconds), ratio, bar, ratio <= bar ? "pass" : "FAIL");
  }
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace structhash::bench

int main() {
  return structhash::bench::run();
}
