#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

/// XXH3-64 (xxHash, seed 0): the checksum of every StructHash file.
namespace structhash {

std::uint64_t checksum(std::span<const std::byte> bytes);

/// The same value for bytes that arrive in pieces.
class RunningChecksum {
 public:
  RunningChecksum();
  ~RunningChecksum();
  RunningChecksum(RunningChecksum&&) noexcept;
  RunningChecksum& operator=(RunningChecksum&&) noexcept;

  void add(std::span<const std::byte> bytes);
  std::uint64_t value() const;
  void restart();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace structhash
