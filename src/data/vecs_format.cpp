#include <fmt/format.h>

#include <array>

#include "data/formats.hpp"
#include "data/strided_reader.hpp"

/// The two formats of nearest-neighbour benchmarks, little-endian.
namespace structhash::data {
namespace {

constexpr std::int32_t kMaxDimension = 1 << 24;

/// .fvecs .bvecs .ivecs: every row is its dimension (int32) and its numbers.
std::unique_ptr<TableReader> open_vecs(const std::string& path, Element element) {
  auto source = std::make_unique<ByteSource>(path);
  const std::uint64_t size = source->size();
  std::int32_t dimension = 0;
  source->read(0, &dimension, sizeof(dimension));
  if (dimension < 1 || dimension > kMaxDimension) {
    source->fail(Errc::corrupt_file,
                 fmt::format("claims rows of dimension {}; expected 1 to {}. Is it another format?",
                             dimension, kMaxDimension));
  }
  RowLayout layout;
  layout.element = element;
  layout.columns = static_cast<std::uint64_t>(dimension);
  layout.prefix = sizeof(dimension);
  layout.prefix_is_dimension = true;
  layout.rows = size / layout.row_bytes();
  if (size % layout.row_bytes() != 0) {
    source->fail(
        Errc::corrupt_file,
        fmt::format("is cut short or damaged: {} bytes is not a whole number of rows of {} "
                    "bytes (dimension {})",
                    size, layout.row_bytes(), dimension));
  }
  return make_strided_reader(std::move(source), layout);
}

/// .fbin .u8bin .i8bin .ibin: the numbers of rows and columns (uint32), then the numbers.
std::unique_ptr<TableReader> open_bin(const std::string& path, Element element) {
  auto source = std::make_unique<ByteSource>(path);
  std::array<std::uint32_t, 2> shape{};
  source->read(0, shape.data(), sizeof(shape));
  RowLayout layout;
  layout.element = element;
  layout.first_row = sizeof(shape);
  layout.rows = shape[0];
  layout.columns = shape[1];
  return make_strided_reader(std::move(source), layout);
}

}  // namespace

std::unique_ptr<TableReader> open_fvecs(const std::string& path) {
  return open_vecs(path, Element::f4);
}
std::unique_ptr<TableReader> open_bvecs(const std::string& path) {
  return open_vecs(path, Element::u1);
}
std::unique_ptr<TableReader> open_ivecs(const std::string& path) {
  return open_vecs(path, Element::i4);
}
std::unique_ptr<TableReader> open_fbin(const std::string& path) {
  return open_bin(path, Element::f4);
}
std::unique_ptr<TableReader> open_u8bin(const std::string& path) {
  return open_bin(path, Element::u1);
}
std::unique_ptr<TableReader> open_i8bin(const std::string& path) {
  return open_bin(path, Element::i1);
}
std::unique_ptr<TableReader> open_ibin(const std::string& path) {
  return open_bin(path, Element::i4);
}

}  // namespace structhash::data
