#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

/// A short text that tells data apart.
namespace structhash {

class Fingerprint {
 public:
  Fingerprint();
  ~Fingerprint();
  Fingerprint(Fingerprint&&) noexcept;
  Fingerprint& operator=(Fingerprint&&) noexcept;

  /// With their number, so that nothing can move to its neighbour.
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
