#include "data/npy_write.hpp"

#include <fmt/format.h>

#include <utility>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr std::size_t kAlignment = 64;  // of the numbers, so that they can be mapped
constexpr std::size_t kRoom = 128;      // enough for a header with any numbers of rows and columns
constexpr std::size_t kRecordRoom = 256;  // likewise, of an array of records

bool is_record(std::string_view descr) {
  return descr.starts_with('[');
}

/// Magic, version, length and description of an array; at least `size` bytes.  Records are a list.
std::string start_of_file(std::string_view descr, Index rows, Index columns, std::size_t size) {
  const std::string quote = is_record(descr) ? "" : "'";
  const std::string shape =
      is_record(descr) ? fmt::format("({},)", rows) : fmt::format("({}, {})", rows, columns);
  std::string header = fmt::format("{{'descr': {0}{1}{0}, 'fortran_order': False, 'shape': {2}, }}",
                                   quote, descr, shape);
  const std::size_t before = 10;  // magic, version, length
  header.append(kAlignment - 1 - (before + header.size()) % kAlignment, ' ');
  if (before + header.size() + 1 < size) {
    header.append(size - (before + header.size() + 1), ' ');
  }
  header += '\n';
  std::string start("\x93NUMPY\x01\x00", 8);
  start += static_cast<char>(header.size() & 0xffU);
  start += static_cast<char>(header.size() >> 8U);
  return start + header;
}

template <typename T>
void save(const std::string& path, const Matrix<T>& values, std::string_view descr) {
  AtomicFile file(path);
  file.write(start_of_file(descr, values.rows(), values.cols(), 0));
  file.write(values.data(), static_cast<std::size_t>(values.size()) * sizeof(T));
  file.commit();
}

}  // namespace

void save_npy(const std::string& path, const Matrix<float>& values) {
  save(path, values, "<f4");
}
void save_npy(const std::string& path, const Matrix<std::int32_t>& values) {
  save(path, values, "<i4");
}
void save_npy(const std::string& path, const Matrix<std::int64_t>& values) {
  save(path, values, "<i8");
}
void save_npy(const std::string& path, const Matrix<std::uint8_t>& values) {
  save(path, values, "|u1");
}

NpyWriter::NpyWriter(std::string path, std::string_view descr, std::size_t element_size,
                     Index columns)
    : file_(std::move(path)), descr_(descr), element_size_(element_size), columns_(columns) {
  require(columns >= 1, "an array needs at least one column");
  room_ = is_record(descr) ? kRecordRoom : kRoom;
  file_.write(start_of_file(descr_, 0, columns_, room_));
}

void NpyWriter::append(std::span<const std::byte> rows) {
  const std::size_t row_size = element_size_ * static_cast<std::size_t>(columns_);
  require(rows.size() % row_size == 0, "an array is written in whole rows");
  file_.write(rows.data(), rows.size());
  rows_ += static_cast<Index>(rows.size() / row_size);
}

void NpyWriter::finish() {
  const std::string start = start_of_file(descr_, rows_, columns_, room_);
  file_.overwrite(0, start.data(), start.size());
  file_.commit();
}

}  // namespace structhash
