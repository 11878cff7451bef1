#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "data/formats.hpp"
#include "data/npy_text.hpp"
#include "data/strided_reader.hpp"

/// NumPy's .npy: magic, version, length of the header, the header (a Python dictionary of three
/// entries, as text), the numbers.
namespace structhash::data {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = 1U << 16U;  // NumPy writes 64 to a few hundred bytes

struct NpyHeader {
  std::string descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::uint64_t>> shape;
};

/// Parses a header of the form  {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }  and
/// refuses any other.
class HeaderParser {
 public:
  HeaderParser(const ByteSource& source, std::string_view text) : source_(source), rest_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        header.descr = quoted();
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
      } else if (key == "shape") {
        header.shape = tuple();
      } else {
        refuse();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (!rest_.empty() || header.descr.empty() || !header.fortran_order || !header.shape) {
      refuse();
    }
    return header;
  }

 private:
  [[noreturn]] void refuse() const {
    source_.fail(Errc::corrupt_file,
                 "its .npy header cannot be read; only arrays of plain numbers are supported, save "
                 "with numpy.save(file, array.astype('float32'))");
  }
  void skip_spaces() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }
  bool accept(char wanted) {
    skip_spaces();
    const bool found = !rest_.empty() && rest_.front() == wanted;
    rest_.remove_prefix(found ? 1 : 0);
    return found;
  }
  void expect(char wanted) {
    if (!accept(wanted)) {
      refuse();
    }
  }
  std::string_view quoted() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') {
      expect('"');
    }
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) {
      refuse();
    }
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool boolean() {
    skip_spaces();
    for (const std::string_view word : {"True", "False"}) {
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return word == "True";
      }
    }
    refuse();
  }
  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> values;
    expect('(');
    while (!accept(')')) {
      skip_spaces();
      std::uint64_t value = 0;
      const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (status != std::errc{}) {
        refuse();
      }
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      accept('L');  // written by Python 2
      values.push_back(value);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  const ByteSource& source_;
  std::string_view rest_;
};

struct DescrEntry {
  std::string_view name;
  Element element;
};

constexpr std::array kDescrs{
    DescrEntry{"b1", Element::u1}, DescrEntry{"u1", Element::u1}, DescrEntry{"i1", Element::i1},
    DescrEntry{"u2", Element::u2}, DescrEntry{"i2", Element::i2}, DescrEntry{"u4", Element::u4},
    DescrEntry{"i4", Element::i4}, DescrEntry{"u8", Element::u8}, DescrEntry{"i8", Element::i8},
    DescrEntry{"f2", Element::f2}, DescrEntry{"f4", Element::f4}, DescrEntry{"f8", Element::f8},
};

void set_element(const ByteSource& source, std::string_view descr, RowLayout& layout) {
  const std::size_t known_order = std::string_view("<>|=").find(descr.front());
  for (const DescrEntry& entry : kDescrs) {
    if (known_order != std::string_view::npos && descr.substr(1) == entry.name) {
      layout.element = entry.element;
      layout.big_endian = descr.front() == '>';
      return;
    }
  }
  source.fail(
      Errc::corrupt_file,
      fmt::format("holds elements of type '{}'; supported are f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 "
                  "u8 b1, and U and S for labels; save it with array.astype('float32'), labels "
                  "with array.astype(str)",
                  descr));
}

/// Reads magic, version and length; returns the header's text and sets where the numbers start.
std::string read_header(ByteSource& source, RowLayout& layout) {
  std::array<unsigned char, 12> head{};
  source.read(0, head.data(), 10);
  if (std::memcmp(head.data(), "\x93NUMPY", 6) != 0) {
    source.fail(Errc::corrupt_file,
                "is not a .npy file: it does not start with the bytes \\x93NUMPY");
  }
  const int version = head[6];
  if (version < 1 || version > 3) {
    source.fail(Errc::corrupt_file,
                fmt::format("has .npy version {}; versions 1 to 3 are supported", version));
  }
  std::uint64_t length = head[8] + (static_cast<std::uint64_t>(head[9]) << 8U);
  layout.first_row = 10;
  if (version > 1) {
    source.read(10, head.data() + 10, 2);
    length += (static_cast<std::uint64_t>(head[10]) << 16U) +
              (static_cast<std::uint64_t>(head[11]) << 24U);
    layout.first_row = 12;
  }
  if (length > kMaxHeaderBytes) {
    source.fail(Errc::corrupt_file, fmt::format("claims a header of {} bytes", length));
  }
  std::string text(length, '\0');
  source.read(layout.first_row, text.data(), text.size());
  layout.first_row += length;
  return text;
}

}  // namespace

std::unique_ptr<TableReader> read_npy(std::unique_ptr<ByteSource> source) {
  RowLayout layout;
  const std::string text = read_header(*source, layout);
  const NpyHeader header = HeaderParser(*source, text).parse();
  const std::vector<std::uint64_t>& shape = *header.shape;
  if (shape.empty()) {
    source->fail(Errc::bad_data, "holds a single number; a table needs rows and columns");
  }
  if (const auto text_type = parse_text_type(header.descr)) {
    return make_text_reader(std::move(source), *text_type, layout.first_row, shape);
  }
  set_element(*source, header.descr, layout);
  layout.rows = shape[0];
  layout.columns = 1;
  layout.is_list = shape.size() == 1;
  for (std::size_t i = 1; i < shape.size(); ++i) {
    layout.columns = checked_product(*source, layout.columns, shape[i]);
  }
  layout.by_columns = *header.fortran_order && shape.size() > 1;
  if (layout.by_columns && shape.size() > 2) {
    source->fail(Errc::corrupt_file,
                 "holds more than two dimensions in Fortran order; save it with "
                 "numpy.ascontiguousarray");
  }
  if (layout.by_columns && source->compressed()) {
    source->fail(Errc::corrupt_file, "is gzipped and in Fortran order; gunzip it first");
  }
  return make_strided_reader(std::move(source), layout);
}

std::unique_ptr<TableReader> open_npy(const std::string& path) {
  return read_npy(std::make_unique<ByteSource>(path));
}

}  // namespace structhash::data
