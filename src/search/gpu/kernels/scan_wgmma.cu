// Tensor cores of Hopper (sm_90a): 64 codes x kQueries queries x 32 bits per instruction of four
// warps.  Queries stay in shared memory, codes are spread to bytes in registers.
//
// The sums stay in registers for the whole scan.  They begin as start and need not be set again:
// instead of the bits x of the next code its differences to the code before, -1, 0 or 1, are
// multiplied and added,
//
//   start + P(x') = (start + P(x)) + P(x' - x),    P(x) = sum over bits b of x_b a_b.
#if WORDS <= 4
#define QUERIES 256
#else
#define QUERIES 128
#endif
constexpr u32 kQueries = QUERIES;
constexpr u32 kSums = kQueries / 2;                              // per thread
constexpr u32 kSteps = 2 * WORDS;                                // of 32 bits
constexpr u32 kGroups = 2;                                       // of four warps, each with its own codes
constexpr u32 kTiles = WORDS == 1 ? 4 : WORDS == 2 ? 2 : 1;      // of 64 codes, read at once
constexpr u32 kHalfStep = kQueries * 16;                         // bytes of 16 bits of all queries

#define R4(i) "+r"(sums[i]), "+r"(sums[i + 1]), "+r"(sums[i + 2]), "+r"(sums[i + 3])
#define R16(i) R4(i), R4(i + 4), R4(i + 8), R4(i + 12)
#define R64(i) R16(i), R16(i + 16), R16(i + 32), R16(i + 48)

__device__ __forceinline__ void multiply(int (&sums)[kSums], const u32 (&codes)[4], u64 queries) {
#if QUERIES == 256
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
      "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,"
      "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
      "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,"
      "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127},"
      "{%128,%129,%130,%131}, %132, 1;"
      : R64(0), R64(64)
      : "r"(codes[0]), "r"(codes[1]), "r"(codes[2]), "r"(codes[3]), "l"(queries));
#else
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63},"
      "{%64,%65,%66,%67}, %68, 1;"
      : R64(0)
      : "r"(codes[0]), "r"(codes[1]), "r"(codes[2]), "r"(codes[3]), "l"(queries));
#endif
}

// Bytes of -1, 0 or 1.
__device__ __forceinline__ u32 difference(u32 now, u32 before, u32 shift) {
  return ((spread((now >> shift) & 15) | 0x80808080u) - spread((before >> shift) & 15)) ^ 0x80808080u;
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

struct Pieces {
  u32 of[kTiles][2][WORDS];

  __device__ __forceinline__ void load(const Rows& rows, u64 first, u32 t) {
#pragma unroll
    for (u32 tile = 0; tile < kTiles; ++tile) {
#pragma unroll
      for (u32 half = 0; half < 2; ++half) {
#pragma unroll
        for (u32 word = 0; word < WORDS; ++word) {
          of[tile][half][word] = piece(rows, first + tile * 64 + half * 8, word, t);
        }
      }
    }
  }
};

// Sums first .. first + 31, where one of them is negative.
__device__ __forceinline__ void append_some(const int (&sums)[kSums], u32 first, const Rows& rows,
                                            const Hits& hits, u32 query, u64 row) {
  u32 negative = 0;
#pragma unroll
  for (u32 i = 0; i < 32; ++i) {
    negative |= static_cast<u32>(sums[first + i] >> 31) & (1u << i);
  }
  for (; negative != 0; negative &= negative - 1) {
    const u32 i = first + __ffs(negative) - 1;
    append(rows, hits, query + i / 4 * 8 + i % 2, row + i / 2 % 2 * 8);
  }
}

extern "C" __global__ void __launch_bounds__(128 * kGroups, 1)
    scan(Rows rows, Hits hits, const signed char* coefficients, const int* starts) {
  extern __shared__ __align__(128) u32 shared[];
  const u32 first_query = blockIdx.y * kQueries;
  load_queries(shared, reinterpret_cast<const u32*>(coefficients) + u64{first_query} * 16 * WORDS);
  const u64 queries = descriptor(shared);
  const u32 t = threadIdx.x % 4;
  const u32 row_in_tile = threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4;
  int sums[kSums];
#pragma unroll
  for (u32 i = 0; i < kSums; ++i) {
    sums[i] = starts[first_query + i / 4 * 8 + t * 2 + i % 2];
  }
  const u64 step = u64{gridDim.x} * kGroups * kTiles * 64;
  u64 base = rows.begin + (u64{blockIdx.x} * kGroups + threadIdx.x / 128) * kTiles * 64;
  Pieces next;
  next.load(rows, base + row_in_tile, t);
  u32 before[2][WORDS] = {};
  for (; base < rows.end; base += step) {
    const Pieces now = next;
    next.load(rows, base + step + row_in_tile, t);
#pragma unroll
    for (u32 tile = 0; tile < kTiles; ++tile) {
      u32 codes[kSteps][4];
#pragma unroll
      for (u32 i = 0; i < 4 * kSteps; ++i) {  // half of the rows: i % 2, half of the step: i / 2 % 2
        const u32 word = i / 8;
        codes[i / 4][i % 4] = difference(now.of[tile][i % 2][word], before[i % 2][word], i % 8 / 2 * 4);
      }
#pragma unroll
      for (u32 i = 0; i < 2 * WORDS; ++i) {
        before[i % 2][i / 2] = now.of[tile][i % 2][i / 2];
      }
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
      for (u32 i = 0; i < kSteps; ++i) {
        multiply(sums, codes[i], queries + u64{i} * (2 * kHalfStep >> 4));
      }
      asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
      float any[kSums / 32] = {};
#pragma unroll
      for (u32 i = 0; i < kSums; i += 2) {
        any[i / 32] = note_negative(sums[i], sums[i + 1], any[i / 32]);
      }
#pragma unroll
      for (u32 i = 0; i < kSums / 32; ++i) {
        if (any[i] != any[i]) {
          append_some(sums, 32 * i, rows, hits, first_query + t * 2, base + tile * 64 + row_in_tile);
        }
      }
      __syncwarp();
    }
  }
}
