#include "data/element.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

namespace structhash::data {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the loaders assume little-endian memory");

template <std::size_t Size>
using Bits = std::conditional_t<
    Size == 1, std::uint8_t,
    std::conditional_t<Size == 2, std::uint16_t,
                       std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

std::uint8_t reversed(std::uint8_t bits) {
  return bits;
}
std::uint16_t reversed(std::uint16_t bits) {
  return __builtin_bswap16(bits);
}
std::uint32_t reversed(std::uint32_t bits) {
  return __builtin_bswap32(bits);
}
std::uint64_t reversed(std::uint64_t bits) {
  return __builtin_bswap64(bits);
}

/// A half-precision number that converts by a plain cast like the other stored types.
struct Half {
  std::uint16_t bits;
  explicit operator float() const {
    return static_cast<float>(Eigen::half(Eigen::half_impl::raw_uint16_to_half(bits)));
  }
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
};

/// The inner loop of every format; free of branches, so the compiler vectorises it.
template <typename Stored, bool Swap, typename T>
void convert(const std::byte* in, std::size_t count, T* out) {
  for (std::size_t i = 0; i < count; ++i) {
    Bits<sizeof(Stored)> bits;
    std::memcpy(&bits, in + i * sizeof(Stored), sizeof(Stored));
    out[i] = static_cast<T>(std::bit_cast<Stored>(Swap ? reversed(bits) : bits));
  }
}

template <typename Stored, typename T>
void convert(bool swap, const std::byte* in, std::size_t count, T* out) {
  if (swap && sizeof(Stored) > 1) {
    convert<Stored, true>(in, count, out);
  } else {
    convert<Stored, false>(in, count, out);
  }
}

}  // namespace

std::size_t element_size(Element element) {
  switch (element) {
    case Element::u1:
    case Element::i1:
      return 1;
    case Element::u2:
    case Element::i2:
    case Element::f2:
      return 2;
    case Element::u4:
    case Element::i4:
    case Element::f4:
      return 4;
    case Element::u8:
    case Element::i8:
    case Element::f8:
      return 8;
  }
  return 0;
}

template <typename T>
void decode(Element element, bool big_endian, const std::byte* in, std::size_t count, T* out) {
  switch (element) {
    case Element::u1:
      return convert<std::uint8_t>(big_endian, in, count, out);
    case Element::i1:
      return convert<std::int8_t>(big_endian, in, count, out);
    case Element::u2:
      return convert<std::uint16_t>(big_endian, in, count, out);
    case Element::i2:
      return convert<std::int16_t>(big_endian, in, count, out);
    case Element::u4:
      return convert<std::uint32_t>(big_endian, in, count, out);
    case Element::i4:
      return convert<std::int32_t>(big_endian, in, count, out);
    case Element::u8:
      return convert<std::uint64_t>(big_endian, in, count, out);
    case Element::i8:
      return convert<std::int64_t>(big_endian, in, count, out);
    case Element::f2:
      return convert<Half>(big_endian, in, count, out);
    case Element::f4:
      return convert<float>(big_endian, in, count, out);
    case Element::f8:
      return convert<double>(big_endian, in, count, out);
  }
}

template void decode(Element, bool, const std::byte*, std::size_t, float*);
template void decode(Element, bool, const std::byte*, std::size_t, double*);

/// NaN and infinity have all exponent bits set: adding one to the exponent carries into the sign
/// bit.  Integer arithmetic, because the compiler does not vectorise a loop of float comparisons.
bool all_finite(const float* values, std::size_t count) {
  std::uint32_t carries = 0;
  for (std::size_t i = 0; i < count; ++i) {
    carries |= (std::bit_cast<std::uint32_t>(values[i]) & 0x7f800000U) + 0x00800000U;
  }
  return (carries >> 31U) == 0;
}

}  // namespace structhash::data
