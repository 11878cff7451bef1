#define XXH_INLINE_ALL  // header-only use, in this file alone
#include "core/checksum.hpp"

#include <xxhash.h>

namespace structhash {

struct RunningChecksum::State {
  XXH3_state_t xxh3;
};

RunningChecksum::RunningChecksum() : state_(std::make_unique<State>()) {
  restart();
}

RunningChecksum::~RunningChecksum() = default;
RunningChecksum::RunningChecksum(RunningChecksum&&) noexcept = default;
RunningChecksum& RunningChecksum::operator=(RunningChecksum&&) noexcept = default;

void RunningChecksum::restart() {
  XXH3_64bits_reset(&state_->xxh3);
}

void RunningChecksum::add(std::span<const std::byte> bytes) {
  if (!bytes.empty()) {
    XXH3_64bits_update(&state_->xxh3, bytes.data(), bytes.size());
  }
}

std::uint64_t RunningChecksum::value() const {
  return XXH3_64bits_digest(&state_->xxh3);
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace structhash
