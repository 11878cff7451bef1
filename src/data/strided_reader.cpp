#include "data/strided_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace structhash::data {
namespace {

constexpr std::uint64_t kBlockBytes = 1U << 18U;  // half a typical L2 cache
constexpr Index kColumnGroup = 16;                // one cache line of floats
constexpr std::uint64_t kMaxSize = std::numeric_limits<std::int64_t>::max() / 16;

class StridedReader final : public TableReader {
 public:
  StridedReader(std::unique_ptr<ByteSource> source, const RowLayout& layout)
      : source_(std::move(source)), layout_(layout), end_(layout.checked_end(*source_)) {
    source_->check_size(end_);
    shape_.rows = static_cast<Index>(layout.rows);
    shape_.columns = static_cast<Index>(layout.columns);
    shape_.is_list = layout.is_list;
    shape_.image = layout.image;
    shape_.carries_labels = layout.label_byte >= 0;
    shape_.label_columns = shape_.carries_labels ? 1 : shape_.columns;
  }

  const TableShape& shape() const override { return shape_; }

  void read_features(Index count, Index /*dimension*/, float* out) override {
    read_rows(feature_row_, count, out);
    advance(feature_row_, count);
  }

  bool skip_features(Index count) override {
    if (layout_.by_columns || source_->compressed()) {
      return false;
    }
    feature_row_ += count;
    return true;
  }

  void read_labels(Index count, double* out) override {
    if (shape_.carries_labels) {
      read_label_bytes(label_row_, count, out);
    } else {
      read_rows(label_row_, count, out);
    }
    advance(label_row_, count);
  }

 private:
  void advance(Index& row, Index count) {
    row += count;
    if (row == shape_.rows) {
      source_->check_end(end_);
    }
  }

  template <typename T>
  void read_rows(Index first, Index count, T* out) {
    if (layout_.by_columns) {
      read_columns(first, count, out);
      return;
    }
    if (std::is_same_v<T, float> && layout_.element == Element::f4 && !layout_.big_endian &&
        layout_.prefix == 0) {
      source_->read(offset_of(first), out, size_of(count));
      return;
    }
    for_each_block(first, count, [&](Index begin, Index rows, const std::byte* bytes) {
      T* to = out + (begin - first) * shape_.columns;
      if (layout_.prefix == 0) {
        decode(layout_.element, layout_.big_endian, bytes,
               static_cast<std::size_t>(rows * shape_.columns), to);
        return;
      }
      for (Index row = 0; row < rows; ++row) {
        const std::byte* start = bytes + size_of(row);
        check_prefix(begin + row, start);
        decode(layout_.element, layout_.big_endian, start + layout_.prefix,
               static_cast<std::size_t>(shape_.columns), to + row * shape_.columns);
      }
    });
  }

  void read_label_bytes(Index first, Index count, double* out) {
    for_each_block(first, count, [&](Index begin, Index rows, const std::byte* bytes) {
      for (Index row = 0; row < rows; ++row) {
        const int label = std::to_integer<int>(bytes[size_of(row) + label_byte()]);
        if (label >= layout_.label_limit) {
          source_->fail(Errc::bad_data,
                        fmt::format("row {}: found label {}, labels are 0 to {}", begin + row + 1,
                                    label, layout_.label_limit - 1));
        }
        out[begin - first + row] = label;
      }
    });
  }

  /// Column-major: reads a group of columns and writes it row by row, so that reading and writing
  /// both use whole cache lines.
  template <typename T>
  void read_columns(Index first, Index count, T* out) {
    const std::uint64_t size = element_size(layout_.element);
    const Index rows_at_once =
        std::max<Index>(1, static_cast<Index>(4 * kBlockBytes / size) / kColumnGroup);
    std::vector<T> group;
    for (Index begin = first; begin < first + count; begin += rows_at_once) {
      const Index rows = std::min(rows_at_once, first + count - begin);
      buffer_.resize(static_cast<std::size_t>(rows) * size);
      for (Index column = 0; column < shape_.columns; column += kColumnGroup) {
        const Index width = std::min(kColumnGroup, shape_.columns - column);
        group.resize(static_cast<std::size_t>(width * rows));
        for (Index i = 0; i < width; ++i) {
          const auto item = static_cast<std::uint64_t>((column + i) * shape_.rows + begin);
          source_->read(layout_.first_row + item * size, buffer_.data(), buffer_.size());
          decode(layout_.element, layout_.big_endian, buffer_.data(),
                 static_cast<std::size_t>(rows), group.data() + i * rows);
        }
        for (Index row = 0; row < rows; ++row) {
          T* to = out + (begin - first + row) * shape_.columns + column;
          for (Index i = 0; i < width; ++i) {
            to[i] = group[static_cast<std::size_t>(i * rows + row)];
          }
        }
      }
    }
  }

  /// Calls body(first row, rows, bytes) for whole rows that fit in the cache.
  template <typename Body>
  void for_each_block(Index first, Index count, const Body& body) {
    const Index rows_at_once =
        std::max<Index>(1, static_cast<Index>(kBlockBytes / layout_.row_bytes()));
    for (Index begin = first; begin < first + count; begin += rows_at_once) {
      const Index rows = std::min(rows_at_once, first + count - begin);
      buffer_.resize(size_of(rows));
      source_->read(offset_of(begin), buffer_.data(), buffer_.size());
      body(begin, rows, buffer_.data());
    }
  }

  void check_prefix(Index row, const std::byte* start) const {
    if (!layout_.prefix_is_dimension) {
      return;
    }
    std::int32_t dimension = 0;
    std::memcpy(&dimension, start, sizeof(dimension));
    if (dimension != shape_.columns) {
      source_->fail(Errc::bad_data, fmt::format("row {}: found dimension {}, row 1 has {}", row + 1,
                                                dimension, shape_.columns));
    }
  }

  std::size_t size_of(Index rows) const {
    return static_cast<std::size_t>(rows) * layout_.row_bytes();
  }
  std::size_t label_byte() const { return static_cast<std::size_t>(layout_.label_byte); }
  std::uint64_t offset_of(Index row) const { return layout_.first_row + size_of(row); }

  std::unique_ptr<ByteSource> source_;
  RowLayout layout_;
  std::uint64_t end_;
  TableShape shape_;
  Index feature_row_ = 0;
  Index label_row_ = 0;
  std::vector<std::byte> buffer_;
};

}  // namespace

std::uint64_t checked_product(const ByteSource& source, std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > kMaxSize / b) {
    source.fail(
        Errc::corrupt_file,
        fmt::format("its header claims {} x {} numbers, more than any file can hold", a, b));
  }
  return a * b;
}

std::uint64_t RowLayout::checked_end(const ByteSource& source) const {
  if (rows == 0 || columns == 0) {
    source.fail(Errc::bad_data, fmt::format("holds no data: {} rows of {} columns", rows, columns));
  }
  checked_product(source, rows, columns);
  checked_product(source, columns, element_size(element));
  return first_row + checked_product(source, rows, row_bytes());
}

std::unique_ptr<TableReader> make_strided_reader(std::unique_ptr<ByteSource> source,
                                                 const RowLayout& layout) {
  return std::make_unique<StridedReader>(std::move(source), layout);
}

}  // namespace structhash::data
