#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "data/byte_source.hpp"
#include "data/table_reader.hpp"

/// Arrays of text: NumPy's types U (UTF-32) and S (bytes), each text filled up with zeros.
namespace structhash::data {

struct NpyTextType {
  bool utf32 = false;
  bool big_endian = false;
  std::uint64_t length = 0;  // characters or bytes per text

  std::uint64_t bytes() const { return utf32 ? 4 * length : length; }
};

/// "<U5" or "|S5"; nothing for any other type.
std::optional<NpyTextType> parse_text_type(std::string_view descr);

/// A list or a single column of texts, usable as labels.
std::unique_ptr<TableReader> make_text_reader(std::unique_ptr<ByteSource> source,
                                              const NpyTextType& type, std::uint64_t first_byte,
                                              const std::vector<std::uint64_t>& shape);

}  // namespace structhash::data
