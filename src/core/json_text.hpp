#pragma once

#include <string_view>

/// JSON from files that nobody has checked.
namespace structhash {

/// Copying and printing a document recurse into it: deeper than this, a file could exhaust the
/// stack.
inline constexpr int kMaxJsonDepth = 64;

/// True if the brackets of `text` are nested at most kMaxJsonDepth deep.  It need not be JSON.
bool json_is_shallow(std::string_view text);

/// The document, or a discarded value if the text is not JSON or is too deep.
template <typename Json>
Json parse_json(std::string_view text) {
  return json_is_shallow(text) ? Json::parse(text, nullptr, /*allow_exceptions=*/false)
                               : Json(Json::value_t::discarded);
}

}  // namespace structhash
