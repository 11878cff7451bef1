#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <concepts>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include "structhash/core/error.hpp"
#include "structhash/data/loaders.hpp"

/// Tiny files written byte by byte, from the formats' definitions and not by the code under test.
namespace structhash::test {

/// A folder that vanishes with its test.
class TempFolder {
 public:
  TempFolder() {
    std::string pattern = testing::TempDir() + "structhash_data_XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~TempFolder() { std::filesystem::remove_all(folder_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::filesystem::remove(path(name));  // faster than overwriting on some file systems
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

template <typename T>
std::string little(std::initializer_list<T> values) {
  std::string bytes;
  for (const T& value : values) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  return bytes;
}

template <typename T>
std::string big(std::initializer_list<T> values) {
  std::string bytes;
  for (const T& value : values) {
    std::string one = little<T>({value});
    std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

/// Version 1.0 of the .npy format: the header is filled with spaces to a multiple of 64 bytes.
inline std::string npy(const std::string& descr, bool fortran, const std::string& shape,
                       const std::string& data) {
  std::string header = "{'descr': '" + descr +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) +
         little<std::uint16_t>({static_cast<std::uint16_t>(header.size())}) + header + data;
}

/// `window_bits` as in zlib: 15 + 16 adds the head of gzip, -15 none.
inline std::string deflated(const std::string& bytes, int window_bits) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 9, Z_DEFAULT_STRATEGY);
  std::string out(bytes.size() + 1024, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string gzip(const std::string& bytes) {
  return deflated(bytes, 15 + 16);
}

inline Matrix<float> matrix(std::initializer_list<std::initializer_list<float>> rows) {
  return Matrix<float>(rows);
}

inline Matrix<float> load(const std::string& file, std::string_view format = {}) {
  return load_features(std::vector{file}, {.format = std::string(format)});
}

inline Labels labels_of(const std::string& file, std::string_view format = {}) {
  return load_labels(std::vector{file}, {.format = std::string(format)});
}

/// Expects an Error of this code whose message holds every one of the words.
template <std::invocable Action>
void expect_error(Errc code, std::initializer_list<std::string> words, const Action& action) {
  try {
    action();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    for (const std::string& word : words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
          << "'" << word << "' is not in: " << error.what();
    }
  }
}

}  // namespace structhash::test
