#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>

#include "search/gpu/cuda_device.hpp"
#include "search/gpu/cuda_driver.hpp"
#include "search/gpu/gpu_scan.hpp"
#include "search/random_search.hpp"
#include "search/scan/flat_scan.hpp"

/// The property suite of the scan on a GPU: its answers are those of the scan on the CPU, bit for
/// bit, by every kernel and for all forms of codes, weights, batches and filters.
namespace structhash::bench {

struct GpuCase {
  Index bits;
  Index rows;
  int weights;  // kind of draw_weights; -1: plain
  bool clustered;
  bool filtered;
  bool sorted;  // codes near each other lie together: lists of hits overflow
  search::gpu::Kernel kernel;
};

inline std::string text_of(const GpuCase& one) {
  return fmt::format("{} bits, {} rows, weights {}, {}, {}, {}", one.bits, one.rows, one.weights,
                     one.sorted      ? "sorted"
                     : one.clustered ? "clustered"
                                     : "random",
                     one.filtered ? "filtered" : "all rows", name_of(one.kernel));
}

/// By their first words.
inline void sort_codes(CodeMatrix& codes) {
  const auto words = static_cast<std::size_t>(codes.words_per_code());
  std::vector<std::uint64_t> copy(codes.words().begin(), codes.words().end());
  std::vector<std::size_t> order(static_cast<std::size_t>(codes.rows()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t row) { return std::pair(copy[row * words], row); });
  auto out = codes.mutable_words().begin();
  for (const std::size_t row : order) {
    out = std::copy_n(copy.begin() + static_cast<std::ptrdiff_t>(row * words), words, out);
  }
}

/// The number of calls whose answers differ.
inline int differing_calls(const GpuCase& one, std::uint64_t seed, int threads, int& calls) {
  Rng rng(Seed{seed});
  CodeMatrix codes =
      one.clustered
          ? clustered_codes(one.rows, uniform_codes(1 + rng.below(20), one.bits, rng), 0.04, rng)
          : uniform_codes(one.rows, one.bits, rng);
  if (one.sorted) {
    sort_codes(codes);
  }
  const std::vector<float> weights =
      one.weights < 0 ? std::vector<float>() : draw_weights(one.bits, one.weights, rng);
  const auto allowed =
      one.filtered ? draw_allowed(one.rows, rng.uniform(), rng) : std::vector<std::uint64_t>();
  const auto cpu =
      one.weights < 0 ? search::make_flat_scan(codes) : search::make_flat_scan(codes, weights);
  const auto gpu =
      search::make_gpu_scan(codes, weights, search::gpu::make_cuda_device(codes, 0, one.kernel));
  const SearchOptions how{.threads = threads, .allowed = allowed};
  int differing = 0;
  const auto compare = [&](const char* what, Index count, const Neighbours& a,
                           const Neighbours& b) {
    ++calls;
    if (a != b) {
      ++differing;
      fmt::print("DIFFERENT: {}, {} of {} queries\n", text_of(one), what, count);
    }
  };
  for (const Index count : {Index{1}, Index{9}, 250 + rng.below(900)}) {
    const CodeMatrix queries = rng.below(2) == 0 ? uniform_codes(count, one.bits, rng)
                                                 : clustered_codes(count, codes, 0.02, rng);
    constexpr Index kChoices[] = {1, 10, 100, 500, 1024, 1500};
    const Index k = pick(kChoices, rng);
    compare("nearest", count, gpu->nearest(queries, k, how), cpu->nearest(queries, k, how));
    if (count < 20) {
      const auto near = cpu->nearest(queries, 300, how).front();
      const float radius = near.empty() ? 1.0F : near.back().distance;
      compare("within", count, gpu->within(queries, radius, how),
              cpu->within(queries, radius, how));
      const Matrix<float> values = Matrix<float>::NullaryExpr(count, one.bits, [&] {
        return static_cast<float>(rng.normal() * std::exp(rng.normal()));
      });
      compare("values", count, gpu->nearest_values(values, {}, k, how),
              search::nearest_asymmetric(codes, values, {}, k, how));
    }
  }
  return differing;
}

inline bool check_gpu(int threads) {
  constexpr Index kBits[] = {1, 5, 32, 63, 64, 65, 96, 128, 130, 192, 200, 256, 300, 384, 447, 512};
  constexpr Index kRows[] = {300, 4'097, 70'000, 200'000};
  using search::gpu::Kernel;
  const search::gpu::CudaGpu kept(0);  // starting a GPU takes a fraction of a second
  int calls = 0;
  int differing = 0;
  std::uint64_t seed = 1;
  for (const Index bits : kBits) {
    for (const Kernel kernel : {Kernel::scan_wgmma, Kernel::scan_mma, Kernel::scan_dot}) {
      for (int form = 0; form < 4; ++form, ++seed) {
        Rng rng(Seed{1000 + seed});
        const GpuCase one{.bits = bits,
                          .rows = kRows[(seed + static_cast<std::uint64_t>(form)) % 4],
                          .weights = static_cast<int>(rng.below(kWeightKinds + 1)) - 1,
                          .clustered = form % 2 == 1,
                          .filtered = rng.below(4) == 0,
                          .sorted = form == 3,
                          .kernel = kernel};
        differing += differing_calls(one, seed, threads, calls);
        std::fflush(stdout);
      }
    }
  }
  for (const Kernel kernel : {Kernel::scan_wgmma, Kernel::scan_mma, Kernel::scan_dot}) {
    for (const int weights : {-1, 0}) {
      ++seed;
      const GpuCase large{.bits = 64,
                          .rows = 5'000'000,
                          .weights = weights,
                          .clustered = true,
                          .filtered = false,
                          .sorted = weights == 0,
                          .kernel = kernel};
      differing += differing_calls(large, seed, threads, calls);
    }
  }
  fmt::print("{} calls compared, {} differ\n", calls, differing);
  return differing == 0;
}

}  // namespace structhash::bench
