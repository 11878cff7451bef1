// Precedes every kernel. NVRTC has no headers; WORDS, the 64-bit words of a code, is set when it
// compiles.
//
// Every scan kernel computes, for a row x and a query with coefficients a (int8, one per bit),
//
//   start + sum over the bits b of x of a_b      (quantised_query.hpp)
//
// and appends the row to the hits of the query where that is negative.
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;

struct Rows {
  const u64* codes;    // rows x WORDS
  u32 begin;           // scanned: begin .. end - 1
  u32 end;
  const u32* allowed;  // one bit per row; null: all rows
};

struct Hits {
  u32* counts;  // one per query: hits, also those that found no place
  u32* rows;    // hit `place` of query q at rows[place * stride + q]
  u32 stride;
  u32 capacity;  // places per query
  // The row of every query's bound, ~0: none, and its code.  A later row with the same code is as
  // far, so it is none of the nearest; learned codes have many such rows.
  u32* bound_rows;
  u64* bound_codes;
};

__device__ __forceinline__ void append(const Rows& rows, const Hits& hits, u32 query, u64 row) {
  if (row >= rows.end || (rows.allowed != nullptr && ((rows.allowed[row / 32] >> (row % 32)) & 1) == 0)) {
    return;
  }
  if (row > hits.bound_rows[query]) {
    bool same = true;
#pragma unroll
    for (u32 word = 0; word < WORDS; ++word) {
      same &= rows.codes[row * WORDS + word] == hits.bound_codes[query * WORDS + word];
    }
    if (same) {
      return;
    }
  }
  const u32 place = atomicAdd(hits.counts + query, 1u);
  if (place < hits.capacity) {
    hits.rows[place * hits.stride + query] = static_cast<u32>(row);
  }
}

// Four bits as the lowest bits of four bytes.
__device__ __forceinline__ u32 spread(u32 four_bits) {
  return (four_bits * 0x00204081u) & 0x01010101u;
}

// The 16-bit pieces of a row: thread t of four holds piece t of every word, so that it has 16
// consecutive bits b = 64 word + 16 t + 4 i + j, fed to the tensor cores as byte j of step i.
__device__ __forceinline__ u32 piece(const Rows& rows, u64 row, u32 word, u32 t) {
  const u64 last = rows.end - 1;
  const u64 in_range = row < last ? row : last;
  return reinterpret_cast<const u16*>(rows.codes)[(in_range * WORDS + word) * 4 + t];
}

// Not a number if `sum` is not or any of two small integers is negative: a negative integer above
// -2^22 has the bits of a float that is not a number, any other is a tiny float.  This runs on the
// units for floating point, which have nothing else to do.
__device__ __forceinline__ float note_negative(int a, int b, float sum) {
  return __fmaf_rn(__int_as_float(a), __int_as_float(b), sum);
}
