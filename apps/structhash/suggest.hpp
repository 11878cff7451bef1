#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/core/error.hpp"

/// "Did you mean" for names of commands and options.
namespace structhash::cli {

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
int edit_distance(std::string_view a, std::string_view b);

/// The known name closest to `name`; empty when none is close enough to be what was meant.
std::string closest(std::string_view name, std::span<const std::string> known);

/// "unknown command 'trian'; did you mean 'train'?", or the known names when nothing is close.
std::string unknown_name(std::string_view what, std::string_view name,
                         std::span<const std::string> known);

template <typename Value>
struct Choice {
  std::string_view name;
  Value value;
};

/// The value of an option that takes one of a few words; throws Errc::usage for any other word.
template <typename Value, std::size_t count>
Value choose(std::string_view option, std::string_view word,
             const std::array<Choice<Value>, count>& choices) {
  std::vector<std::string> known;
  for (const Choice<Value>& choice : choices) {
    if (choice.name == word) {
      return choice.value;
    }
    known.emplace_back(choice.name);
  }
  fail(Errc::usage, unknown_name("value for " + std::string(option), word, known));
}

}  // namespace structhash::cli
