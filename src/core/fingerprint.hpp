#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

/// A short text that identifies data.
namespace structhash {

class Fingerprint {
 public:
  Fingerprint();
  ~Fingerprint();
  Fingerprint(Fingerprint&&) noexcept;
  Fingerprint& operator=(Fingerprint&&) noexcept;

  /// Includes the number of values, so that [1][2, 3] and [1, 2][3] differ.
  template <typename T>
  void add(std::span<const T> values) {
    add_bytes(std::as_bytes(values), values.size());
  }
  std::string text() const;  // 16 hexadecimal digits

 private:
  void add_bytes(std::span<const std::byte> bytes, std::size_t count);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace structhash
