#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "structhash/core/types.hpp"
#include "structhash/search/search_engine.hpp"

/// Converts between NumPy arrays and types of the library; views where the layout allows it.
namespace structhash::python {

namespace nb = nanobind;

template <typename T>
using Rows = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Values = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using NumpyArray = nb::ndarray<nb::numpy, T, nb::c_contig>;

template <typename T>
Eigen::Map<const Matrix<T>> view(const Rows<T>& array) {
  return {array.data(), static_cast<Index>(array.shape(0)), static_cast<Index>(array.shape(1))};
}

template <typename T>
std::span<const T> view(const Values<T>& array) {
  return {array.data(), array.shape(0)};
}

/// Hands a container over to a NumPy array, without a copy.  Needs the GIL.
template <typename T, typename Container>
NumpyArray<T> to_numpy(Container&& values, std::initializer_list<std::size_t> shape) {
  auto* owned = new std::remove_cvref_t<Container>(std::forward<Container>(values));
  const nb::capsule owner(owned, [](void* self) noexcept {
    delete static_cast<std::remove_cvref_t<Container>*>(self);
  });
  return NumpyArray<T>(owned->data(), shape, owner);
}

/// Bytes of a packed code: ceil(bits / 8).
inline Index bytes_per_code(Index bits) {
  return (bits + 7) / 8;
}

/// Packed bytes as words: a view if codes are whole aligned words, else a copy.
class PackedCodes {
 public:
  /// Throws Errc::usage unless the width fits and padding bits are zero.  Keeps a view of `bytes`.
  PackedCodes(const Rows<std::uint8_t>& bytes, Index bits);

  const CodeSpan& span() const { return span_; }
  /// The queries first .. first + count - 1.
  CodeSpan part(Index first, Index count) const;
  CodeMatrix matrix() const;

 private:
  CodeMatrix copy_;
  CodeSpan span_;
};

/// Writes codes as packed bytes, ceil(bits / 8) each, one after the other.
void write_bytes(const CodeMatrix& codes, std::uint8_t* out);

}  // namespace structhash::python
