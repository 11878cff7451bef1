#pragma once

#include <cstdint>
#include <string>

#include "structhash/core/types.hpp"

/// Writing NumPy arrays: neighbours, distances, features made by us.
namespace structhash {

/// Writes a rows x columns array in C order, little-endian.  The file is whole or not there.
void save_npy(const std::string& path, const Matrix<float>& values);
void save_npy(const std::string& path, const Matrix<std::int32_t>& values);
void save_npy(const std::string& path, const Matrix<std::int64_t>& values);
void save_npy(const std::string& path, const Matrix<std::uint8_t>& values);

}  // namespace structhash
