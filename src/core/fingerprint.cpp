#include "core/fingerprint.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "core/checksum.hpp"

namespace structhash {

struct Fingerprint::State {
  RunningChecksum sum;
};

Fingerprint::Fingerprint() : state_(std::make_unique<State>()) {}
Fingerprint::~Fingerprint() = default;
Fingerprint::Fingerprint(Fingerprint&&) noexcept = default;
Fingerprint& Fingerprint::operator=(Fingerprint&&) noexcept = default;

void Fingerprint::add_bytes(std::span<const std::byte> bytes, std::size_t count) {
  const std::uint64_t number = count;
  state_->sum.add(std::as_bytes(std::span(&number, 1)));
  state_->sum.add(bytes);
}

std::string Fingerprint::text() const {
  return fmt::format("{:016x}", state_->sum.value());
}

}  // namespace structhash
