#include "embedded_files.hpp"

#include <zlib.h>

#include "structhash/core/error.hpp"

// Defined by embedded_files.S, which has no namespaces.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
extern const unsigned char structhash_digits[];
extern const unsigned char structhash_digits_end[];
extern const unsigned char structhash_questions[];
extern const unsigned char structhash_questions_end[];
extern const unsigned char structhash_embeddings[];
extern const unsigned char structhash_embeddings_end[];
}
// NOLINTEND(readability-identifier-naming)

namespace structhash::cli {
namespace {

std::string unpack(const unsigned char* begin, const unsigned char* end, std::size_t max_bytes) {
  std::string text(max_bytes, '\0');
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  if (inflateInit2(&stream, kGzip) != Z_OK) {
    fail(Errc::internal, "zlib could not be started");
  }
  stream.next_in = const_cast<Bytef*>(begin);  // NOLINT: zlib's interface, it only reads
  stream.avail_in = static_cast<uInt>(end - begin);
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  const int status = inflate(&stream, Z_FINISH);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  if (status != Z_STREAM_END) {
    fail(Errc::internal, "the embedded data do not unpack");
  }
  return text;
}

}  // namespace

std::string digits_csv() {
  return unpack(structhash_digits, structhash_digits_end, 1U << 19U);
}

std::string questions_tsv() {
  return unpack(structhash_questions, structhash_questions_end, 1U << 20U);
}

std::string embeddings_npy() {
  return unpack(structhash_embeddings, structhash_embeddings_end, 3U << 20U);
}

}  // namespace structhash::cli
