#pragma once

#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>
#include <vector>

/// The unit of every speed claim: one single-threaded 2048 x 2048 x 2048 product of OpenBLAS in the
/// same process, "a gemm" (about 0.2 s on a current core).  Ratios carry from one machine to
/// another, seconds do not.
namespace structhash::bench {

/// Time this thread has been computing: what single-threaded work is measured by, since it does
/// not count the turns of other programs on a shared machine.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Time that passed: for work on several threads, and for files.
inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <typename Clock, typename Work>
double seconds_of(Clock clock, Work&& work) {
  const double start = clock();
  work();
  return clock() - start;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Gemm {
 public:
  /// Sets OpenBLAS to one thread for the whole process.
  Gemm() : a_(kSize * kSize, 0.5F), b_(kSize * kSize, 0.25F), c_(kSize * kSize) {
    openblas_set_num_threads(1);
    run();  // touches the memory and wakes the library
  }

  void run() {
    constexpr int n = kSize;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0F, a_.data(), n, b_.data(),
                n, 0.0F, c_.data(), n);
  }

  template <typename Clock>
  double seconds(Clock clock) {
    return seconds_of(clock, [this] { run(); });
  }

  /// The median of five products, in seconds of processor time.
  double unit() {
    std::vector<double> seconds;
    for (int i = 0; i < 5; ++i) {
      seconds.push_back(this->seconds(cpu_seconds));
    }
    return median(std::move(seconds));
  }

  /// True when the product came out right: every element is 2048 * 0.5 * 0.25.
  bool correct() const {
    return std::ranges::all_of(c_, [](float value) { return value == 256.0F; });
  }

 private:
  static constexpr int kSize = 2048;
  std::vector<float> a_;
  std::vector<float> b_;
  std::vector<float> c_;
};

}  // namespace structhash::bench
