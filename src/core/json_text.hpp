#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

/// JSON from files that may be anybody's.
namespace structhash {

/// Copying and printing a document recurse into it: deeper than this, a file could exhaust the
/// stack.
inline constexpr int kDeepestJson = 64;

/// True if no bracket of `text` stands inside kDeepestJson others.  Says nothing about whether it
/// is JSON.
bool json_is_shallow(std::string_view text);

/// The document, or a discarded value if the text is not JSON or is too deep.
template <typename Json>
Json parse_json(std::string_view text) {
  return json_is_shallow(text) ? Json::parse(text, nullptr, /*allow_exceptions=*/false)
                               : Json(Json::value_t::discarded);
}

/// Whole numbers where whole numbers are meant: converting 1e300 is undefined, and 1.5 or -1 would
/// silently become another number.  Everything that is no whole number T is left to the parser.
template <typename T>
struct WholeNumbers {
  template <typename Json>
  static bool only(const Json& json) {
    if constexpr (std::integral<T> && !std::same_as<T, bool>) {
      const bool negative = json.is_number_integer() && !json.is_number_unsigned() &&
                            json.template get<std::int64_t>() < 0;
      return json.is_number_integer() &&
             (negative ? std::signed_integral<T>
                       : json.template get<std::uint64_t>() <=
                             std::uint64_t{std::numeric_limits<T>::max()});
    } else {
      return true;
    }
  }
};

template <typename T>
struct WholeNumbers<std::vector<T>> {
  template <typename Json>
  static bool only(const Json& json) {
    return !json.is_array() || std::ranges::all_of(json, [](const Json& entry) {
      return WholeNumbers<T>::only(entry);
    });
  }
};

}  // namespace structhash
