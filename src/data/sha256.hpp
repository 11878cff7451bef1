#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace structhash::data {

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces: a checksum of files, not a guard of
/// secrets.
class Sha256 {
 public:
  void add(const void* bytes, std::size_t count);
  /// 64 hexadecimal digits; nothing may be added afterwards.
  std::string hex_digest();

 private:
  static constexpr std::size_t kBlock = 64;
  void add_block(std::span<const unsigned char, kBlock> block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, kBlock> buffer_{};
  std::size_t buffered_ = 0;
  std::uint64_t total_ = 0;  // bytes
};

}  // namespace structhash::data
