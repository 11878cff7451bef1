#include "structhash/data/npy_write.hpp"

#include <fmt/format.h>

#include <string_view>

#include "structhash/core/atomic_file.hpp"

namespace structhash {
namespace {

constexpr std::size_t kAlignment = 64;  // of the numbers, so that they can be mapped

template <typename T>
void save(const std::string& path, const Matrix<T>& values, std::string_view descr) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   descr, values.rows(), values.cols());
  const std::size_t before = 10;  // magic, version, length
  header.append(kAlignment - 1 - (before + header.size()) % kAlignment, ' ');
  header += '\n';
  std::string start("\x93NUMPY\x01\x00", 8);
  start += static_cast<char>(header.size() & 0xffU);
  start += static_cast<char>(header.size() >> 8U);

  AtomicFile file(path);
  file.write(start + header);
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

}  // namespace structhash
