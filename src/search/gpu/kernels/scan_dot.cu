// One query at a time, on any GPU since 2016: bound by reading the codes.
//
// Byte i of (x >> j) & 0x01010101 is bit 8 i + j.  Without the shift it is that bit times 2^j; the
// sums are halved on the way from j = 7 to 0 instead, once for all words of a code.
constexpr u32 kThreads = 256;
constexpr u32 kRowsAtOnce = WORDS == 1 ? 8 : WORDS <= 4 ? 2 : 1;

__device__ __forceinline__ int dot(u32 bytes, int coefficients, int sum) {
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(bytes), "r"(coefficients), "r"(sum));
  return sum;
}

extern "C" __global__ void __launch_bounds__(kThreads)
    scan(Rows rows, Hits hits, const signed char* coefficients, const int* starts) {
  const u32 query = blockIdx.y;
  __shared__ int shared[8][2 * WORDS];
  for (u32 i = threadIdx.x; i < 16 * WORDS; i += kThreads) {
    const u32 half = i / 8;
    const u32 j = i % 8;
    const signed char* from = coefficients + (u64{query} * 2 * WORDS + half) * 32 + j;
    shared[j][half] = static_cast<int>((from[0] & 0xFFu) | (from[8] & 0xFFu) << 8 |
                                       (from[16] & 0xFFu) << 16 | (from[24] & 0xFFu) << 24);
  }
  __syncthreads();
  const int start = starts[query];
  const u64 step = u64{gridDim.x} * kThreads * kRowsAtOnce;
  for (u64 first = rows.begin + u64{blockIdx.x} * kThreads * kRowsAtOnce + threadIdx.x;
       first < rows.end; first += step) {
    u64 code[kRowsAtOnce][WORDS];
#pragma unroll
    for (u32 i = 0; i < kRowsAtOnce; ++i) {
      const u64 row = first + i * kThreads;
#pragma unroll
      for (u32 word = 0; word < WORDS; ++word) {
        code[i][word] = rows.codes[(row < rows.end ? row : rows.end - 1) * WORDS + word];
      }
    }
    int sums[kRowsAtOnce] = {};
#pragma unroll
    for (int j = 7; j >= 0; --j) {
#pragma unroll
      for (u32 word = 0; word < WORDS; ++word) {
        const u32 mask = 0x01010101u << j;
        const int low = shared[j][2 * word];
        const int high = shared[j][2 * word + 1];
#pragma unroll
        for (u32 i = 0; i < kRowsAtOnce; ++i) {
          if (word == 0) {
            sums[i] >>= 1;
          }
          sums[i] = dot(static_cast<u32>(code[i][word]) & mask, low, sums[i]);
          sums[i] = dot(static_cast<u32>(code[i][word] >> 32) & mask, high, sums[i]);
        }
      }
    }
    u32 negative = 0;
#pragma unroll
    for (u32 i = 0; i < kRowsAtOnce; ++i) {
      negative |= sums[i] + start < 0 ? 1u << i : 0u;
    }
    for (; negative != 0; negative &= negative - 1) {
      append(rows, hits, query, first + (__ffs(negative) - 1) * kThreads);
    }
  }
}
