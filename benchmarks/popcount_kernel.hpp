#pragma once

#include <array>
#include <chrono>
#include <string>

#include "search/gpu/cuda_driver.hpp"
#include "search/gpu/kernel_compiler.hpp"
#include "structhash/search/search_engine.hpp"

/// The usual plain Hamming scan on a GPU: xor and population count, the baseline of benchmarks/gpu.
namespace structhash::bench {

inline constexpr const char* kPopcountKernel = R"CUDA(
using u32 = unsigned int;
using u64 = unsigned long long;
extern "C" __global__ void scan(const u64* codes, u64 rows, const u64* queries, int limit,
                                u32* counts, u32* hits, u32 capacity) {
  __shared__ u64 shared[128];
  const u32 first = blockIdx.y * 128;
  if (threadIdx.x < 128) {
    shared[threadIdx.x] = queries[first + threadIdx.x];
  }
  __syncthreads();
  for (u64 row = u64{blockIdx.x} * blockDim.x + threadIdx.x; row < rows; row += u64{gridDim.x} * blockDim.x) {
    const u64 code = codes[row];
#pragma unroll 8
    for (u32 i = 0; i < 128; ++i) {
      if (__popcll(code ^ shared[i]) <= limit) {
        const u32 place = atomicAdd(counts + first + i, 1u);
        if (place < capacity) {
          hits[u64{first + i} * capacity + place] = static_cast<u32>(row);
        }
      }
    }
  }
}
)CUDA";

/// Queries per second of the scan alone, with a limit that about 500 random codes are within: an
/// advantage, since nothing is ranked and no limit searched for.
inline double popcount_rate(const CodeSpan& codes, const CodeSpan& queries) {
  using namespace search::gpu;
  const CudaGpu gpu(0);
  const KernelCompiler compiler;
  const auto kernel =
      gpu.load(compiler.compile({.name = "popcount",
                                 .source = kPopcountKernel,
                                 .architecture = "sm_" + std::to_string(gpu.architecture()),
                                 .words = 1}),
               "scan", 0);
  int limit = -1;
  double within = 0.0;
  double choose = 1.0;  // 64 over limit + 1
  for (; within < 300.0; ++limit) {
    within += to_double(codes.rows) * choose * 0x1p-64;
    choose *= (63.0 - limit) / (limit + 2.0);
  }
  constexpr unsigned kCapacity = 8192;
  DeviceMemory all(gpu), some(gpu), counts(gpu), hits(gpu);
  const auto count = static_cast<std::size_t>(queries.rows);
  DeviceAddress codes_at = all.fill(codes.words);
  DeviceAddress queries_at = some.fill(queries.words);
  DeviceAddress counts_at = counts.reserve(count * 4);
  DeviceAddress hits_at = hits.reserve(count * kCapacity * 4);
  auto rows = static_cast<unsigned long long>(codes.rows);
  unsigned capacity = kCapacity;
  std::array<void*, 7> arguments{&codes_at,  &rows,    &queries_at, &limit,
                                 &counts_at, &hits_at, &capacity};
  double best = 1e30;
  for (int run = 0; run < 4; ++run) {
    gpu.clear(counts_at, count * 4);
    gpu.wait();
    const auto start = std::chrono::steady_clock::now();
    gpu.launch(*kernel,
               {.columns = static_cast<unsigned>(8 * gpu.multiprocessors()),
                .rows = static_cast<unsigned>(count / 128),
                .threads = 256},
               arguments);
    gpu.wait();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return static_cast<double>(count) / best;
}

}  // namespace structhash::bench
