#include "core/json_text.hpp"

namespace structhash {

bool json_is_shallow(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '"') {
      in_string = !in_string;
    } else if (in_string) {
      at += letter == '\\' ? 1 : 0;  // what follows is part of the string, even a quote
    } else if (letter == '[' || letter == '{') {
      if (++depth > kMaxJsonDepth) {
        return false;
      }
    } else if (letter == ']' || letter == '}') {
      --depth;
    }
  }
  return true;
}

}  // namespace structhash
