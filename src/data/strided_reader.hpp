#pragma once

#include <memory>
#include <vector>

#include "data/byte_source.hpp"
#include "data/element.hpp"
#include "data/table_reader.hpp"

namespace structhash::data {

/// The layout of a binary file.  All binary formats have this form:
///
///   row r = [prefix][columns x element][suffix],  starting at byte  first_row + r * row_bytes
///
/// `by_columns` (Fortran order) instead stores column after column, without prefix.
struct RowLayout {
  Element element = Element::u1;
  bool big_endian = false;
  bool by_columns = false;
  bool is_list = false;
  std::uint64_t first_row = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t prefix = 0;          // bytes of a row before its numbers
  bool prefix_is_dimension = false;  // the prefix is an int32 equal to `columns` (fvecs)
  int label_byte = -1;               // which byte of the prefix is the label (CIFAR); -1: none
  int label_limit = 0;               // labels are below it
  ImageLayout image;                 // if rows are images

  std::uint64_t row_bytes() const { return prefix + columns * element_size(element); }
  /// Checks the claims of a header: at least one row and column, sizes that do not overflow.
  /// Returns the offset of the end of the data.
  std::uint64_t checked_end(const ByteSource& source) const;
};

/// Product of sizes claimed by a header; Errc::corrupt_file if it does not fit.
std::uint64_t checked_product(const ByteSource& source, std::uint64_t a, std::uint64_t b);

std::unique_ptr<TableReader> make_strided_reader(std::unique_ptr<ByteSource> source,
                                                 const RowLayout& layout);

}  // namespace structhash::data
