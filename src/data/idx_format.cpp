#include <fmt/format.h>

#include <array>
#include <optional>

#include "data/formats.hpp"
#include "data/strided_reader.hpp"

/// idx, the format of MNIST: two zero bytes, the type, the number of dimensions, the dimensions as
/// big-endian 32-bit numbers, the numbers (big-endian).  All dimensions after the first are
/// columns.
namespace structhash::data {
namespace {

constexpr int kMaxDimensions = 8;

std::optional<Element> idx_element(int type) {
  switch (type) {
    case 0x08:
      return Element::u1;
    case 0x09:
      return Element::i1;
    case 0x0b:
      return Element::i2;
    case 0x0c:
      return Element::i4;
    case 0x0d:
      return Element::f4;
    case 0x0e:
      return Element::f8;
    default:
      return std::nullopt;
  }
}

std::uint32_t big_endian_number(const unsigned char* bytes) {
  return (static_cast<std::uint32_t>(bytes[0]) << 24U) |
         (static_cast<std::uint32_t>(bytes[1]) << 16U) |
         (static_cast<std::uint32_t>(bytes[2]) << 8U) | bytes[3];
}

}  // namespace

std::unique_ptr<TableReader> open_idx(const std::string& path) {
  auto source = std::make_unique<ByteSource>(path);
  std::array<unsigned char, 4 + 4 * kMaxDimensions> head{};
  source->read(0, head.data(), 4);
  const std::optional<Element> element = idx_element(head[2]);
  const int dimensions = head[3];
  if (head[0] != 0 || head[1] != 0 || !element || dimensions < 1 || dimensions > kMaxDimensions) {
    source->fail(
        Errc::corrupt_file,
        fmt::format("is not an idx file: it starts with {:02x} {:02x} {:02x} {:02x}, expected "
                    "00 00, a type (08 to 0e) and a number of dimensions",
                    head[0], head[1], head[2], head[3]));
  }
  source->read(4, head.data() + 4, 4 * static_cast<std::size_t>(dimensions));
  RowLayout layout;
  layout.element = *element;
  layout.big_endian = true;
  layout.is_list = dimensions == 1;
  layout.first_row = 4 + 4 * static_cast<std::uint64_t>(dimensions);
  layout.rows = big_endian_number(head.data() + 4);
  layout.columns = 1;
  for (Index i = 1; i < dimensions; ++i) {
    layout.columns =
        checked_product(*source, layout.columns, big_endian_number(head.data() + 4 + 4 * i));
  }
  if (dimensions == 3 && layout.element == Element::u1) {
    const auto height = static_cast<Index>(big_endian_number(head.data() + 8));
    const auto width = static_cast<Index>(big_endian_number(head.data() + 12));
    layout.image = {.height = height, .width = width, .y_step = width, .x_step = 1};
  }
  return make_strided_reader(std::move(source), layout);
}

}  // namespace structhash::data
