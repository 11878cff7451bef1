// Tensor cores since Ampere: 16 queries x 8 codes x 32 bits per instruction.  Queries stay in
// registers, codes are spread to bytes on the way.
constexpr u32 kThreads = 128;
constexpr u32 kTiles = WORDS == 1 ? 8 : WORDS == 2 ? 4 : WORDS <= 4 ? 2 : 1;  // of 16 queries, per warp
constexpr u32 kQueries = 16 * kTiles;
constexpr u32 kSteps = 2 * WORDS;                                  // of 32 bits
constexpr u32 kRowsAtOnce = WORDS <= 2 ? 32 : 8;

__device__ __forceinline__ void multiply(int (&sums)[4], const u32 (&queries)[4], u32 low, u32 high) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(queries[0]), "r"(queries[1]), "r"(queries[2]), "r"(queries[3]), "r"(low), "r"(high));
}

extern "C" __global__ void __launch_bounds__(kThreads)
    scan(Rows rows, Hits hits, const signed char* coefficients, const int* starts) {
  const u32 g = threadIdx.x % 32 / 4;
  const u32 t = threadIdx.x % 4;
  const u32 first_query = blockIdx.y * kQueries;
  u32 queries[kTiles][kSteps][4];
  int start[kTiles][2];
#pragma unroll
  for (u32 tile = 0; tile < kTiles; ++tile) {
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
      const u32 query = first_query + tile * 16 + half * 8 + g;
      start[tile][half] = starts[query];
#pragma unroll
      for (u32 step = 0; step < kSteps; ++step) {
        const u32* from = reinterpret_cast<const u32*>(
            coefficients + u64{query} * 64 * WORDS + step / 2 * 64 + t * 16 + step % 2 * 8);
        queries[tile][step][half] = from[0];
        queries[tile][step][2 + half] = from[1];
      }
    }
  }
  const u32 warps = gridDim.x * (kThreads / 32);
  const u32 warp = blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
  for (u64 base = rows.begin + u64{warp} * kRowsAtOnce; base < rows.end; base += u64{warps} * kRowsAtOnce) {
    u32 pieces[kRowsAtOnce / 8][WORDS];
#pragma unroll
    for (u32 u = 0; u < kRowsAtOnce / 8; ++u) {
#pragma unroll
      for (u32 word = 0; word < WORDS; ++word) {
        pieces[u][word] = piece(rows, base + u * 8 + g, word, t);
      }
    }
#pragma unroll
    for (u32 u = 0; u < kRowsAtOnce / 8; ++u) {
      int sums[kTiles][4];
#pragma unroll
      for (u32 tile = 0; tile < kTiles; ++tile) {
        sums[tile][0] = sums[tile][1] = start[tile][0];
        sums[tile][2] = sums[tile][3] = start[tile][1];
      }
#pragma unroll
      for (u32 step = 0; step < kSteps; ++step) {
        const u32 bits = pieces[u][step / 2] >> (step % 2 * 8);
        const u32 low = spread(bits & 15);
        const u32 high = spread((bits >> 4) & 15);
#pragma unroll
        for (u32 tile = 0; tile < kTiles; ++tile) {
          multiply(sums[tile], queries[tile][step], low, high);
        }
      }
      float any = 0.0f;
#pragma unroll
      for (u32 tile = 0; tile < kTiles; ++tile) {
        any = note_negative(sums[tile][0], sums[tile][1], any);
        any = note_negative(sums[tile][2], sums[tile][3], any);
      }
      if (any != any) {
#pragma unroll
        for (u32 tile = 0; tile < kTiles; ++tile) {
#pragma unroll
          for (u32 i = 0; i < 4; ++i) {
            if (sums[tile][i] < 0) {
              append(rows, hits, first_query + tile * 16 + i / 2 * 8 + g, base + u * 8 + t * 2 + i % 2);
            }
          }
        }
      }
    }
  }
}
