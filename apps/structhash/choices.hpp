#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/suggest.hpp"
#include "structhash/core/error.hpp"

/// Options that take one of a few words.
namespace structhash::cli {

template <typename Value>
struct Choice {
  std::string_view name;
  Value value;
};

/// The value that goes with the word; throws Errc::usage for any other word.
template <typename Value, std::size_t count>
Value choose(std::string_view option, std::string_view word,
             const std::array<Choice<Value>, count>& choices) {
  std::array<std::string_view, count> known;
  for (std::size_t i = 0; i < count; ++i) {
    if (choices[i].name == word) {
      return choices[i].value;
    }
    known[i] = choices[i].name;
  }
  fail(Errc::usage, unknown_name("value of " + std::string(option), word, known));
}

}  // namespace structhash::cli
