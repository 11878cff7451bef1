// One block per query: exact distances of the hits, the k nearest of these and of those before,
// and the start of the next scan, which admits only what may still be among them.  WEIGHTED: 0 or 1.
struct Ranked {
  u64* nearest;    // k keys per query, ascending: the bits of the distance, then the row
  u32* found;      // of them, per query
  u64* bounds;     // per query: no key above it is among the k nearest; ~0: none known
  u8* overflowed;  // per query of this scan: hits did not fit and were dropped
  u32 k;
  u32 next_begin;  // first row of the next scan
  u32 all;         // 1: there was no scan, every row is a hit
};

struct Queries {
  const u64* codes;      // WORDS each
  const float* weights;  // 64 WORDS each
  u32 weight_stride;     // from a query's weights to the next one's; 0: all share one set
  const int* offsets;    // quantised_query.hpp
  const int* largest;
  const double* factors;
};

// Summed as WeightTable does: bytes from the lowest bit, then all bytes in order.  Only additions,
// so no order or rounding can differ.
__device__ __forceinline__ float distance(const u64* query, const u64* code, const float* weights) {
#if WEIGHTED
  float sum = 0.0f;
  for (u32 word = 0; word < WORDS; ++word) {
    u64 left = query[word] ^ code[word];
    for (u32 byte = 0; byte < 8; ++byte, left >>= 8) {
      float byte_sum = 0.0f;
#pragma unroll
      for (u32 bit = 0; bit < 8; ++bit) {
        if ((left >> bit) & 1) {
          byte_sum += weights[64 * word + 8 * byte + bit];
        }
      }
      sum += byte_sum;
    }
  }
  return sum;
#else
  int sum = 0;
  for (u32 word = 0; word < WORDS; ++word) {
    sum += __popcll(query[word] ^ code[word]);
  }
  return static_cast<float>(sum);
#endif
}

__device__ __forceinline__ void sort(u64* keys, u32 size) {  // bitonic; a power of two
  for (u32 run = 2; run <= size; run *= 2) {
    for (u32 gap = run / 2; gap > 0; gap /= 2) {
      for (u32 i = threadIdx.x; i < size / 2; i += blockDim.x) {
        const u32 low = 2 * i - (i & (gap - 1));
        const u32 high = low + gap;
        const u64 a = keys[low];
        const u64 b = keys[high];
        if ((a > b) == ((low & run) == 0)) {
          keys[low] = b;
          keys[high] = a;
        }
      }
      __syncthreads();
    }
  }
}

// limit_of in quantised_query.cpp.
__device__ __forceinline__ int limit_of(u64 bound, u32 next_begin, double factor, int largest) {
  if (bound == ~0ull) {
    return largest;
  }
  const u32 bits = static_cast<u32>(bound >> 32);
  const bool ties_lose = static_cast<u32>(bound) < next_begin;
  if (ties_lose && bits == 0) {
    return -1;
  }
  const double limit = floor(factor * static_cast<double>(__uint_as_float(bits - (ties_lose ? 1 : 0))));
  return limit < largest ? static_cast<int>(limit) : largest;
}

extern "C" __global__ void __launch_bounds__(256)
    rank(Rows rows, Hits hits, Queries queries, Ranked ranked, int* starts) {
  extern __shared__ u64 keys[];
  const u32 query = blockIdx.x;
  const u32 count = ranked.all ? rows.end - rows.begin : hits.counts[query];
  const bool overflow = count > hits.capacity;
  const u32 fresh = overflow ? hits.capacity : count;
  const u32 found = ranked.found[query];
  const u64* code = queries.codes + u64{query} * WORDS;
  const float* weights = queries.weights + u64{query} * queries.weight_stride;
  u64* nearest = ranked.nearest + u64{query} * ranked.k;
  u32 size = 32;
  while (size < fresh + found) {
    size *= 2;
  }
  for (u32 i = threadIdx.x; i < size; i += blockDim.x) {
    u64 key = ~0ull;
    if (i < fresh) {
      const u32 row = ranked.all ? rows.begin + i : hits.rows[i * hits.stride + query];
      key = u64{__float_as_uint(distance(code, rows.codes + u64{row} * WORDS, weights))} << 32 | row;
    } else if (i < fresh + found) {
      key = nearest[i - fresh];
    }
    keys[i] = key;
  }
  __syncthreads();
  sort(keys, size);
  const u32 kept = fresh + found < ranked.k ? fresh + found : ranked.k;
  if (!overflow) {
    for (u32 i = threadIdx.x; i < kept; i += blockDim.x) {
      nearest[i] = keys[i];
    }
  }
  if (threadIdx.x == 0) {
    u64 bound = ranked.bounds[query];
    if (kept == ranked.k && keys[kept - 1] < bound) {
      bound = keys[kept - 1];
    }
    ranked.bounds[query] = bound;
    ranked.found[query] = overflow ? found : kept;
    ranked.overflowed[query] = overflow;
    hits.counts[query] = 0;
    hits.bound_rows[query] = bound == ~0ull ? ~0u : static_cast<u32>(bound);
    for (u32 word = 0; word < WORDS && bound != ~0ull; ++word) {
      hits.bound_codes[query * WORDS + word] = rows.codes[(bound & 0xFFFFFFFFu) * WORDS + word];
    }
    starts[query] = queries.offsets[query] - 1 -
                    limit_of(bound, ranked.next_begin, queries.factors[query], queries.largest[query]);
  }
}
