#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/core/container.hpp"
#include "structhash/core/types.hpp"

/// Matrices and vectors as sections of a file, and their comparison: for encoders.
namespace structhash {

inline void add_matrix(ContainerWriter& file, std::string_view name, const Matrix<float>& matrix) {
  file.add(name, std::span<const float>(matrix.data(), static_cast<std::size_t>(matrix.size())),
           static_cast<std::size_t>(matrix.cols()));
}

inline void add_vector(ContainerWriter& file, std::string_view name, const Vector<float>& vector) {
  file.add(name, std::span<const float>(vector.data(), static_cast<std::size_t>(vector.size())));
}

inline Matrix<float> read_matrix(const Container& file, std::string_view name) {
  const Section& section = file.section(name, ElementType::f32);
  return Eigen::Map<const Matrix<float>>(file.array<float>(name).data(),
                                         static_cast<Index>(section.rows),
                                         static_cast<Index>(section.columns));
}

inline Vector<float> read_vector(const Container& file, std::string_view name) {
  const std::span<const float> values = file.array<float>(name);
  return Eigen::Map<const Vector<float>>(values.data(), std::ssize(values));
}

inline void add_count(ContainerWriter& file, std::string_view name, Index count) {
  const std::int64_t value = count;
  file.add(name, std::span(&value, 1));
}

inline Index read_count(const Container& file, std::string_view name) {
  const auto values = file.array<std::int64_t>(name);
  if (values.size() != 1) {
    file.fail_corrupt("section '" + std::string(name) + "' is not one number");
  }
  return static_cast<Index>(values[0]);
}

template <typename T>
std::vector<T> read_array(const Container& file, std::string_view name) {
  const std::span<const T> values = file.array<T>(name);
  return {values.begin(), values.end()};
}

/// Equal sizes and equal numbers; Eigen's own == requires equal sizes.
template <typename Dense>
bool same(const Dense& a, const Dense& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

}  // namespace structhash
