#pragma once

#include <algorithm>
#include <cstddef>
#include <new>

#include "hwy/aligned_allocator.h"

/// Working memory of the kernels: aligned for whole vectors.
namespace structhash::simd {

template <typename T>
using AlignedArray = hwy::AlignedFreeUniquePtr<T[]>;

/// An aligned array with every element set.
template <typename T>
AlignedArray<T> filled(std::size_t count, T value) {
  auto memory = hwy::AllocateAligned<T>(count);
  if (!memory) {
    throw std::bad_alloc();
  }
  std::fill_n(memory.get(), count, value);
  return memory;
}

}  // namespace structhash::simd
