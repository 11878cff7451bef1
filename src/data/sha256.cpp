#include "data/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "structhash/core/error.hpp"

namespace structhash::data {

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};

  static void check(int status) {
    if (status != 1) {
      fail(Errc::internal, "OpenSSL could not compute a SHA-256 checksum");
    }
  }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  State::check(EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::add(const void* bytes, std::size_t count) {
  State::check(EVP_DigestUpdate(state_->context.get(), bytes, count));
}

std::string Sha256::hex_digest() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  State::check(EVP_DigestFinal_ex(state_->context.get(), digest.data(), &size));
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += fmt::format("{:02x}", digest[i]);
  }
  return text;
}

}  // namespace structhash::data
