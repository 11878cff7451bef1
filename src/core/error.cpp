#include "structhash/core/error.hpp"

namespace structhash {

void require(bool condition, std::string_view message) {
  if (!condition) {
    fail(Errc::usage, std::string(message));
  }
}

void fail(Errc code, const std::string& message) {
  throw Error(code, message);
}

}  // namespace structhash
