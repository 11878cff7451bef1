#include "data/npy_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <utility>

#include "data/strided_reader.hpp"

namespace structhash::data {
namespace {

constexpr std::uint64_t kMaxLength = 1U << 20U;

/// Appends a code point as UTF-8; false if there is no such character.
bool append_utf8(std::uint32_t point, std::string& out) {
  const auto byte = [&out](std::uint32_t bits) { out += static_cast<char>(bits); };
  const auto last = [&](int shift) { byte(0x80U | ((point >> shift) & 0x3fU)); };
  if (point >= 0x110000U || (point >= 0xd800U && point < 0xe000U)) {
    return false;
  }
  if (point < 0x80U) {
    byte(point);
  } else if (point < 0x800U) {
    byte(0xc0U | (point >> 6U));
    last(0);
  } else if (point < 0x10000U) {
    byte(0xe0U | (point >> 12U));
    last(6);
    last(0);
  } else {
    byte(0xf0U | (point >> 18U));
    last(12);
    last(6);
    last(0);
  }
  return true;
}

class NpyTextReader final : public TableReader {
 public:
  NpyTextReader(std::unique_ptr<ByteSource> source, const NpyTextType& type,
                std::uint64_t first_byte, std::uint64_t rows)
      : source_(std::move(source)), type_(type), first_byte_(first_byte), raw_(type.bytes(), '\0') {
    source_->check_size(first_byte_ + checked_product(*source_, rows, type_.bytes()));
    shape_.rows = static_cast<Index>(rows);
    shape_.columns = 1;
    shape_.label_columns = 1;
    shape_.is_list = true;
    shape_.text_labels = true;
  }

  const TableShape& shape() const override { return shape_; }

  void read_features(Index /*count*/, Index /*dimension*/, float* /*out*/) override {
    source_->fail(Errc::internal, "a list of text was read as features");
  }

  void read_label_text(Index count, TextLabels& out) override {
    for (const Index end = row_ + count; row_ < end; ++row_) {
      source_->read(first_byte_ + static_cast<std::uint64_t>(row_) * type_.bytes(), raw_.data(),
                    raw_.size());
      const std::string text = type_.utf32 ? from_utf32() : std::string(raw_.c_str());
      if (text.empty()) {
        source_->fail(Errc::bad_data, fmt::format("row {}: the label is empty", row_ + 1));
      }
      out.add(text);
    }
    if (row_ == shape_.rows) {
      source_->check_end(first_byte_ + static_cast<std::uint64_t>(row_) * type_.bytes());
    }
  }

 private:
  std::string from_utf32() const {
    std::string text;
    for (std::size_t at = 0; at < raw_.size(); at += 4) {
      std::uint32_t point = 0;
      std::memcpy(&point, raw_.data() + at, sizeof(point));
      point = type_.big_endian ? __builtin_bswap32(point) : point;
      if (point == 0) {
        break;
      }
      if (!append_utf8(point, text)) {
        source_->fail(Errc::bad_data,
                      fmt::format("row {}: {:x} is not a character of Unicode", row_ + 1, point));
      }
    }
    return text;
  }

  std::unique_ptr<ByteSource> source_;
  NpyTextType type_;
  std::uint64_t first_byte_;
  std::string raw_;
  TableShape shape_;
  Index row_ = 0;
};

}  // namespace

std::optional<NpyTextType> parse_text_type(std::string_view descr) {
  NpyTextType type;
  if (descr.size() < 3 || (descr[1] != 'U' && descr[1] != 'S')) {
    return std::nullopt;
  }
  const char* end = descr.data() + descr.size();
  const auto [stop, status] = std::from_chars(descr.data() + 2, end, type.length);
  if (status != std::errc{} || stop != end || type.length == 0 || type.length > kMaxLength) {
    return std::nullopt;
  }
  type.utf32 = descr[1] == 'U';
  type.big_endian = descr[0] == '>';
  return type;
}

std::unique_ptr<TableReader> make_text_reader(std::unique_ptr<ByteSource> source,
                                              const NpyTextType& type, std::uint64_t first_byte,
                                              const std::vector<std::uint64_t>& shape) {
  std::uint64_t columns = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) {
    columns = checked_product(*source, columns, shape[i]);
  }
  if (columns != 1) {
    source->fail(Errc::bad_data,
                 fmt::format("holds {} columns of text; features must be numbers, labels one text "
                             "per row",
                             columns));
  }
  if (shape.front() == 0) {
    source->fail(Errc::bad_data, "holds no data: 0 rows");
  }
  return std::make_unique<NpyTextReader>(std::move(source), type, first_byte, shape.front());
}

}  // namespace structhash::data
