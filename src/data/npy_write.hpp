#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/atomic_file.hpp"
#include "structhash/core/types.hpp"

/// Writes NumPy arrays: neighbours, distances, features.
namespace structhash {

/// Writes a rows x columns array in C order, little-endian.  The file appears complete or not at
/// all.
void save_npy(const std::string& path, const Matrix<float>& values);
void save_npy(const std::string& path, const Matrix<std::int32_t>& values);
void save_npy(const std::string& path, const Matrix<std::int64_t>& values);
void save_npy(const std::string& path, const Matrix<std::uint8_t>& values);

/// Writes an array in blocks of rows, without holding all of it; the number of rows need not be
/// known in advance.  Nothing appears under `path` before `finish`.
class NpyWriter {
 public:
  /// `descr`: the element type as NumPy writes it, "<f4" or "|u1"; `element_size`: its bytes.
  /// A list of records is "[('id', '<i8'), ('distance', '<f4')]", with one column.
  NpyWriter(std::string path, std::string_view descr, std::size_t element_size, Index columns);

  /// Whole rows.
  void append(std::span<const std::byte> rows);
  void finish();
  Index rows() const { return rows_; }

 private:
  AtomicFile file_;
  std::string descr_;
  std::size_t element_size_;
  Index columns_;
  std::size_t room_ = 0;  // bytes before the numbers
  Index rows_ = 0;
};

}  // namespace structhash
