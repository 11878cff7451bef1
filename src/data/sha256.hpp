#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace structhash::data {

/// SHA-256 of bytes that arrive in pieces, on OpenSSL's libcrypto.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(const void* bytes, std::size_t count);
  /// 64 hexadecimal digits; nothing may be added afterwards.
  std::string hex_digest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace structhash::data
