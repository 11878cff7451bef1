#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "gpu_check.hpp"
#include "popcount_kernel.hpp"
#include "search/gpu/cuda_device.hpp"
#include "search/gpu/gpu_scan.hpp"
#include "search/scan/flat_scan.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/search/code_index.hpp"

/// The scan on a GPU: `bench_gpu check` compares its answers with those of the CPU on many forms of
/// codes, `bench_gpu table BILLIONTHS [CODES.shc]` prints docs/gpu.md's table for the largest
/// database of that many codes (default 10^9) and checks some answers of every row.
namespace structhash {
namespace {

constexpr Index kBatch = 1024;
constexpr Index kNeighbours = 100;
constexpr int kRuns = 5;
constexpr Index kChecked = 16;  // queries per row of the table
constexpr Index kOnCpu = 256;   // queries for the rate of the CPU

struct Data {
  CodeMatrix codes;
  CodeMatrix queries;
  std::vector<float> weights;
};

double seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

template <typename Work>
double median_seconds(const Work& work) {
  work();
  std::vector<double> times;
  for (int run = 0; run < kRuns; ++run) {
    const double start = seconds();
    work();
    times.push_back(seconds() - start);
  }
  std::ranges::sort(times);
  return times[kRuns / 2];
}

CodeMatrix random_codes(Index rows, Index bits, std::uint64_t seed, int threads) {
  CodeMatrix codes(rows, bits);
  const std::span words = codes.mutable_words();
  parallel_for(std::ssize(words), threads, 1 << 20, [&](Index begin, Index end) {
    Rng rng(Seed{seed + static_cast<std::uint64_t>(begin)});
    std::generate(words.begin() + begin, words.begin() + end, [&] { return rng.next(); });
  });
  return codes;
}

/// The codes of a file again and again, one bit in 32 flipped.
CodeMatrix repeated_codes(const CodeIndex& file, Index rows, int threads, std::uint64_t seed) {
  const CodeMatrix some = file.reconstruct(file.ids());
  CodeMatrix codes(rows, file.bits());
  const std::span words = codes.mutable_words();
  parallel_for(std::ssize(words), threads, 1 << 20, [&](Index begin, Index end) {
    Rng rng(Seed{seed + static_cast<std::uint64_t>(begin)});
    for (Index i = begin; i < end; ++i) {
      std::uint64_t flips = rng.next();
      for (int times = 0; times < 4; ++times) {
        flips &= rng.next();
      }
      words[static_cast<std::size_t>(i)] =
          some.words()[static_cast<std::size_t>(i % std::ssize(some.words()))] ^ flips;
    }
  });
  return codes;
}

std::vector<float> random_weights(Index bits) {
  Rng rng(Seed{3});
  std::vector<float> weights;
  for (Index bit = 0; bit < bits; ++bit) {
    weights.push_back(static_cast<float>(0.2 + rng.uniform()));
  }
  return weights;
}

CodeSpan first_queries(const CodeMatrix& queries, Index count) {
  return {
      std::span(queries.words()).first(static_cast<std::size_t>(count * queries.words_per_code())),
      count, queries.bits()};
}

void print_row(std::string_view what, double gpu, Index rows, double cpu) {
  fmt::print("| {} | {:.0f} | {:.2f} | {} |\n", what, gpu, gpu * to_double(rows) * 1e-12,
             cpu > 0.0 ? fmt::format("{:.1f}", cpu) : "");
  std::fflush(stdout);
}

/// One row of the table; false if answers differ.
bool measure(std::string_view what, const Data& data, int threads, bool single = false) {
  const bool plain = data.weights.empty();
  const auto cpu =
      plain ? search::make_flat_scan(data.codes) : search::make_flat_scan(data.codes, data.weights);
  const auto gpu = search::make_gpu_scan(data.codes, data.weights, "cuda");
  const SearchOptions how{.threads = threads};
  const Neighbours found = gpu->nearest(data.queries, kNeighbours, how);
  const CodeSpan checked = first_queries(data.queries, kChecked);
  const Neighbours expected = cpu->nearest(checked, kNeighbours, how);
  const bool same = std::equal(expected.begin(), expected.end(), found.begin());
  const double batch =
      median_seconds([&] { static_cast<void>(gpu->nearest(data.queries, kNeighbours, how)); });
  const double start = seconds();
  static_cast<void>(cpu->nearest(first_queries(data.queries, kOnCpu), kNeighbours, how));
  const double cpu_rate = to_double(kOnCpu) / (seconds() - start);
  print_row(what, to_double(kBatch) / batch, data.codes.rows(), cpu_rate);
  if (single) {
    const CodeSpan one = first_queries(data.queries, 1);
    const double alone =
        median_seconds([&] { static_cast<void>(gpu->nearest(one, kNeighbours, how)); });
    print_row(fmt::format("{}, one query: {:.2f} ms", what, 1e3 * alone), 1.0 / alone,
              data.codes.rows(), 0.0);
  }
  if (!same) {
    fmt::print("{}: ANSWERS DIFFER from those of the CPU\n", what);
  }
  return same;
}

bool print_table(Index most, const char* file, int threads) {
  fmt::print("{}\nbatches of {}, k = {}, medians of {}; the CPU with {} threads, batches of {}\n\n",
             search::gpu::describe_gpu(0), kBatch, kNeighbours, kRuns, threads, kOnCpu);
  fmt::print(
      "| codes | queries/s | 10^12 distances/s | queries/s of the CPU |\n| --- | --- | --- | --- "
      "|\n");
  bool good = true;
  for (const Index rows : {most, most / 10}) {
    Data data{random_codes(rows, 64, 1, threads), random_codes(kBatch, 64, 2, 1),
              random_weights(64)};
    good &= measure(fmt::format("{} x 64, weighted", rows), data, threads, true);
    data.weights.clear();
    good &= measure(fmt::format("{} x 64, plain", rows), data, threads);
    print_row(fmt::format("{} x 64, plain, popcount kernel, scan only", rows),
              bench::popcount_rate(data.codes, data.queries), rows, 0.0);
  }
  for (const Index bits : {128, 256, 512}) {
    const Data data{random_codes(most / 10, bits, 1, threads), random_codes(kBatch, bits, 2, 1),
                    random_weights(bits)};
    good &= measure(fmt::format("{} x {}, weighted", most / 10, bits), data, threads);
  }
  if (file != nullptr) {
    const CodeIndex index = CodeIndex::of_code_file(file);
    Data data{repeated_codes(index, most / 10, threads, 1), repeated_codes(index, kBatch, 1, 999),
              random_weights(64)};
    good &= measure(fmt::format("{} x 64, clustered, weighted", most / 10), data, threads);
    data.weights.clear();
    good &= measure(fmt::format("{} x 64, clustered, plain", most / 10), data, threads);
  }
  return good;
}

int run(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  const int threads = resolve_threads(0);
  if (mode == "check") {
    fmt::print("{}\n", search::gpu::describe_gpu(0));
    return bench::check_gpu(threads) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  if (mode == "table") {
    const Index most = argc > 2 ? std::atoll(argv[2]) : 1'000'000'000;
    return print_table(most, argc > 3 ? argv[3] : nullptr, threads) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  if (mode == "profile") {  // one batch, to be watched by a profiler
    const Index rows = argc > 2 ? std::atoll(argv[2]) : 100'000'000;
    const CodeMatrix codes = random_codes(rows, 64, 1, threads);
    const auto gpu = search::make_gpu_scan(codes, random_weights(64), "cuda");
    for (int batch = 0; batch < 2; ++batch) {
      const double start = seconds();
      static_cast<void>(gpu->nearest(random_codes(kBatch, 64, 2, 1), kNeighbours, {}));
      fmt::print("{:.2f} ms\n", 1e3 * (seconds() - start));
    }
    return EXIT_SUCCESS;
  }
  fmt::print("bench_gpu check | table [ROWS [CODES.shc]] | profile [ROWS]\n");
  return 2;
}

}  // namespace
}  // namespace structhash

int main(int argc, char** argv) {
  try {
    return structhash::run(argc, argv);
  } catch (const structhash::Error& error) {
    fmt::print("{}\n", error.what());
    return static_cast<int>(error.code());
  }
}
