#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/core/types.hpp"

/// How a method is configured from text: the command line, experiment files, Python.
namespace structhash {

struct MethodOptions {
  Index bits = 64;
  std::string measure{};                       // "ndcg@100"; empty: the method's default
  std::string functions{};                     // "linear", "kernel", ...; empty: the default
  std::map<std::string, std::string> extra{};  // options of this method alone
};

/// One option of a method as help, reference pages and Python signatures show it.
struct OptionInfo {
  std::string_view name;
  std::string_view type;      // "integer", "number", "flag", "choice" or "text"
  std::string default_value;  // "auto": chosen from the data
  std::string allowed;        // "1 to 4,096", "above 0", "true or false", "linear or kernel"
  std::vector<std::string_view> choices{};    // of a choice
  std::string_view help{};                    // one sentence
  std::vector<std::string_view> functions{};  // that use it; empty: all of the method's
  /// By the name of a preset: its default, where that is another.
  std::map<std::string, std::string, std::less<>> presets{};
};

}  // namespace structhash
