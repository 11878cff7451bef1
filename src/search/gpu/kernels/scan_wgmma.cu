// Tensor cores of Hopper (sm_90a): 64 codes x 128 queries x 32 bits per instruction of four warps.
// Queries stay in shared memory, codes are spread to bytes in registers.
//
// The sums stay in registers for the whole scan.  They begin as start and need not be set again:
// instead of the bits x of the next code its differences to the code before, -1, 0 or 1, are
// multiplied and added,
//
//   start + P(x') = (start + P(x)) + P(x' - x),    P(x) = sum over bits b of x_b a_b.
//
// A block has two halves of 128 queries.  While the tensor cores add up one half, the sums of the
// other are looked at, and the next codes are spread.
constexpr u32 kQueries = 256;
constexpr u32 kSums = 64;                                    // per thread and half
constexpr u32 kSteps = 2 * WORDS;                            // of 32 bits
constexpr u32 kGroups = 2;                                   // of four warps, each with its own codes
constexpr u32 kTiles = WORDS == 1 ? 4 : WORDS == 2 ? 2 : 1;  // of 64 codes, read at once
constexpr u32 kHalfStep = kQueries * 16;                     // bytes of 16 bits of all queries

#define R4(i) "+r"(sums[i]), "+r"(sums[i + 1]), "+r"(sums[i + 2]), "+r"(sums[i + 3])
#define R16(i) R4(i), R4(i + 4), R4(i + 8), R4(i + 12)
#define R64 R16(0), R16(16), R16(32), R16(48)

__device__ __forceinline__ void multiply(int (&sums)[kSums], const u32 (&codes)[4], u64 queries) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63},"
      "{%64,%65,%66,%67}, %68, 1;"
      : R64
      : "r"(codes[0]), "r"(codes[1]), "r"(codes[2]), "r"(codes[3]), "l"(queries));
}

// Begins to add up a half.
__device__ __forceinline__ void begin(int (&sums)[kSums], const u32 (&codes)[kSteps][4], u64 queries) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (u32 i = 0; i < kSteps; ++i) {
    multiply(sums, codes[i], queries + u64{i} * (2 * kHalfStep >> 4));
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits for all halves begun but the last one, or for all.
__device__ __forceinline__ void finish_one(int (&sums)[kSums]) {
  asm volatile("wgmma.wait_group.sync.aligned 1;" : R64::"memory");
}
__device__ __forceinline__ void finish_all(int (&sums)[kSums]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" : R64::"memory");
}

// The queries of the block, in the order in which wgmma reads them without a swizzle: squares of 8
// queries x 16 bytes, all of a half step together.
__device__ __forceinline__ void load_queries(u32* shared, const u32* coefficients) {
  for (u32 i = threadIdx.x; i < kQueries * 16 * WORDS; i += blockDim.x) {
    const u32 query = i / (16 * WORDS);
    const u32 word = i % (16 * WORDS) / 16;
    const u32 t = i % 16 / 4;
    const u32 half_step = 4 * word + i % 4;
    shared[half_step * (kHalfStep / 4) + query / 8 * 32 + query % 8 * 4 + t] = coefficients[i];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}

__device__ __forceinline__ u64 descriptor(const u32* shared) {
  const u64 address = __cvta_generic_to_shared(shared);
  return ((address & 0x3FFFF) >> 4) | u64{kHalfStep >> 4} << 16 | u64{128 >> 4} << 32;
}

// What a thread needs of kTiles tiles: two rows of each.
struct Pieces {
  u32 of[kTiles][2][WORDS];

  __device__ __forceinline__ void load(const Rows& rows, u64 first, u32 row, u32 t) {
    if (first + 64 * kTiles <= rows.end) {
      const u16* from = reinterpret_cast<const u16*>(rows.codes) + (first + row) * (4 * WORDS) + t;
#pragma unroll
      for (u32 i = 0; i < 2 * kTiles * WORDS; ++i) {
        of[i / (2 * WORDS)][i / WORDS % 2][i % WORDS] =
            from[i / (2 * WORDS) * (256 * WORDS) + i / WORDS % 2 * (32 * WORDS) + i % WORDS * 4];
      }
    } else {
#pragma unroll
      for (u32 i = 0; i < 2 * kTiles * WORDS; ++i) {
        of[i / (2 * WORDS)][i / WORDS % 2][i % WORDS] =
            piece(rows, first + row + i / (2 * WORDS) * 64 + i / WORDS % 2 * 8, i % WORDS, t);
      }
    }
  }
};

// The bits of the code before, as 0x80 minus each, in bytes.  Kept as bytes where there is room.
struct Before {
#if WORDS <= 2
  u32 bytes[kSteps * 4];

  __device__ __forceinline__ u32 of(u32 i) const { return bytes[i]; }
  __device__ __forceinline__ void set(u32 i, u32 spread_bits, const u32 (&)[2][WORDS]) {
    bytes[i] = 0x80808080u - spread_bits;
  }
#else
  u32 bits[2][WORDS];

  __device__ __forceinline__ u32 of(u32 i) const {
    return 0x80808080u - spread((bits[i % 2][i / 8] >> (i % 8 / 2 * 4)) & 15);
  }
  __device__ __forceinline__ void set(u32 i, u32, const u32 (&now)[2][WORDS]) {
    if (i % 8 >= 6) {  // the last bits of a word
      bits[i % 2][i / 8] = now[i % 2][i / 8];
    }
  }
#endif
};

// The bytes to add for a tile, -1, 0 or 1: i % 2 is the half of the rows, i / 2 % 2 that of the step.
__device__ __forceinline__ void spread_tile(const u32 (&now)[2][WORDS], Before& before,
                                            u32 (&codes)[kSteps][4]) {
#pragma unroll
  for (u32 i = 0; i < 4 * kSteps; ++i) {
    const u32 shift = i % 8 / 2 * 4;
    const u32 bits = now[i % 2][i / 8] >> shift;
    const u32 bytes = spread(shift == 12 ? bits : bits & 15);
    codes[i / 4][i % 4] = (bytes + before.of(i)) ^ 0x80808080u;
    before.set(i, bytes, now);
  }
}

// Sums 32 part .. 32 part + 31, of which some are negative.
template <u32 part>
__device__ __forceinline__ void append_some(const int (&sums)[kSums], const Rows& rows,
                                            const Hits& hits, u32 query, u64 row) {
  u32 negative = 0;
#pragma unroll
  for (u32 i = 0; i < 32; ++i) {
    negative |= static_cast<u32>(sums[32 * part + i] >> 31) & (1u << i);
  }
  for (; negative != 0; negative &= negative - 1) {
    const u32 i = 32 * part + __ffs(negative) - 1;
    append(rows, hits, query + i / 4 * 8 + i % 2, row + i / 2 % 2 * 8);
  }
}

__device__ __forceinline__ void append_negative(const int (&sums)[kSums], const Rows& rows,
                                                const Hits& hits, u32 query, u64 row) {
  float any[4] = {};
#pragma unroll
  for (u32 i = 0; i < kSums; i += 2) {
    any[i / 16] = note_negative(sums[i], sums[i + 1], any[i / 16]);
  }
  const float low = any[0] + any[1];
  const float high = any[2] + any[3];
  if (low + high != low + high) {
    if (low != low) {
      append_some<0>(sums, rows, hits, query, row);
    }
    if (high != high) {
      append_some<1>(sums, rows, hits, query, row);
    }
  }
  __syncwarp();
}

extern "C" __global__ void __launch_bounds__(128 * kGroups, 1)
    scan(Rows rows, Hits hits, const signed char* coefficients, const int* starts) {
  extern __shared__ __align__(128) u32 shared[];
  const u32 first_query = blockIdx.y * kQueries;
  load_queries(shared, reinterpret_cast<const u32*>(coefficients) + u64{first_query} * 16 * WORDS);
  const u64 low_queries = descriptor(shared);
  const u64 high_queries = low_queries + (128 / 8 * 128 >> 4);
  const u32 t = threadIdx.x % 4;
  const u32 row_in_tile = threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4;
  const u32 low = first_query + t * 2;
  const u32 high = low + 128;
  int low_sums[kSums];
  int high_sums[kSums];
#pragma unroll
  for (u32 i = 0; i < kSums; ++i) {
    low_sums[i] = starts[low + i / 4 * 8 + i % 2];
    high_sums[i] = starts[high + i / 4 * 8 + i % 2];
  }
  const u64 step = u64{gridDim.x} * kGroups * kTiles * 64;
  u64 base = rows.begin + (u64{blockIdx.x} * kGroups + threadIdx.x / 128) * kTiles * 64;
  if (base >= rows.end) {
    return;
  }
  Pieces now;
  Pieces next;
  Before before;
#pragma unroll
  for (u32 i = 0; i < 4 * kSteps; ++i) {
    constexpr u32 none[2][WORDS] = {};
    before.set(i, 0, none);
  }
  u32 codes[kSteps][4];
  now.load(rows, base, row_in_tile, t);
  spread_tile(now.of[0], before, codes);
  for (; base < rows.end; base += step) {
    next.load(rows, base + step, row_in_tile, t);
#pragma unroll
    for (u32 tile = 0; tile < kTiles; ++tile) {
      const u64 row = base + tile * 64 + row_in_tile;
      begin(low_sums, codes, low_queries);
      u32 next_codes[kSteps][4];
      spread_tile(tile + 1 < kTiles ? now.of[tile + 1] : next.of[0], before, next_codes);
      if (tile > 0) {
        finish_one(high_sums);
        append_negative(high_sums, rows, hits, high, row - 64);
      }
      begin(high_sums, codes, high_queries);
      finish_one(low_sums);
      append_negative(low_sums, rows, hits, low, row);
      if (tile + 1 == kTiles) {
        finish_all(high_sums);
        append_negative(high_sums, rows, hits, high, row);
      }
#pragma unroll
      for (u32 i = 0; i < 4 * kSteps; ++i) {
        codes[i / 4][i % 4] = next_codes[i / 4][i % 4];
      }
    }
    now = next;
  }
}
