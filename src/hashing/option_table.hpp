#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "hashing/functions.hpp"
#include "structhash/core/types.hpp"
#include "structhash/hashing/method_options.hpp"

/// Options of a method, each declared once.  A params struct has one constexpr tuple of `Option`;
/// reading, range errors, JSON, help, reference pages and Python signatures visit that tuple.  The
/// default of an option is its value in a default-constructed struct.
///
///   struct SdhParams { Index bits = 64; double penalty = 1.0; };
///   inline constexpr std::tuple kSdhOptions{
///       Option{"bits", &SdhParams::bits, kBitsRange, "Length of the codes"},
///       Option{"penalty", &SdhParams::penalty, above(0), "Weight of the classifier's penalty"}};
namespace structhash {

/// Allowed values of a number.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;  // min itself is not allowed
  bool open_max = false;

  constexpr bool contains(double value) const {
    return (open_min ? value > min : value >= min) && (open_max ? value < max : value <= max);
  }
};
constexpr Range above(double min) {
  return {.min = min, .open_min = true};
}
constexpr Range at_least(double min) {
  return {.min = min};
}
constexpr Range between(double min, double max) {
  return {.min = min, .max = max};
}
inline constexpr Range kBitsRange = between(1, 4096);

/// true or false.
struct Flag {};

/// Any text; the method checks it.
struct Text {};

/// One of several names.
template <typename Value, std::size_t N>
struct Choice {
  std::array<Named<Value>, N> names;
};
template <typename Value, std::size_t N>
Choice(std::array<Named<Value>, N>) -> Choice<Value, N>;

/// Some of the kinds of hash functions.
struct FunctionChoice {
  FunctionSet allowed = kAllFunctions;
};

template <typename Params, typename T, typename Allowed>
struct Option {
  std::string_view name;
  T Params::* member;
  Allowed allowed;
  std::string_view help;
  FunctionSet functions = kAllFunctions;  // that use it
};
template <typename Params, typename T, typename Allowed>
Option(std::string_view, T Params::*, Allowed, std::string_view) -> Option<Params, T, Allowed>;
template <typename Params, typename T, typename Allowed>
Option(std::string_view, T Params::*, Allowed, std::string_view, FunctionSet)
    -> Option<Params, T, Allowed>;

namespace options {

std::string allowed_text(const Range& range);  // "1 to 4,096", "above 0", "at least 0"
std::string allowed_text(Flag allowed);
std::string allowed_text(Text allowed);
std::string allowed_text(const FunctionChoice& allowed);
template <typename Value, std::size_t N>
std::string allowed_text(const Choice<Value, N>& allowed) {
  std::string text;
  for (const auto& [name, value] : allowed.names) {
    text.append(text.empty() ? "" : ", ").append(name);
  }
  return text;
}

/// Each reads `text` into `value`, or returns false if it is not one of the allowed values.
bool read(std::string_view text, const Range& allowed, double& value);
bool read(std::string_view text, const Range& allowed, Index& value);
bool read(std::string_view text, const Range& allowed, int& value);
bool read(std::string_view text, Flag allowed, bool& value);
bool read(std::string_view text, Text allowed, std::string& value);
bool read(std::string_view text, const FunctionChoice& allowed, Functions& value);
template <typename Value, std::size_t N>
bool read(std::string_view text, const Choice<Value, N>& allowed, Value& value) {
  for (const auto& [name, named] : allowed.names) {
    if (name == text) {
      value = named;
      return true;
    }
  }
  return false;
}
template <typename Allowed, typename T>
bool read(std::string_view text, const Allowed& allowed, std::optional<T>& value) {
  if (text == "auto") {
    value.reset();
    return true;
  }
  return read(text, allowed, value.emplace());
}

nlohmann::json to_json(const Range& allowed, double value);
nlohmann::json to_json(const Range& allowed, Index value);
nlohmann::json to_json(const Range& allowed, int value);
nlohmann::json to_json(Flag allowed, bool value);
nlohmann::json to_json(Text allowed, const std::string& value);
nlohmann::json to_json(const FunctionChoice& allowed, Functions value);
template <typename Value, std::size_t N>
nlohmann::json to_json(const Choice<Value, N>& allowed, Value value) {
  for (const auto& [name, named] : allowed.names) {
    if (named == value) {
      return std::string(name);
    }
  }
  return nullptr;
}
template <typename Allowed, typename T>
nlohmann::json to_json(const Allowed& allowed, const std::optional<T>& value) {
  return value ? to_json(allowed, *value) : nlohmann::json("auto");
}

std::string_view type_name(const Range& allowed, double);
std::string_view type_name(const Range& allowed, Index);
std::string_view type_name(const Range& allowed, int);
std::string_view type_name(Flag allowed, bool);
std::string_view type_name(Text allowed, const std::string&);
template <typename Allowed, typename T>
std::string_view type_name(const Allowed& allowed, const std::optional<T>&) {
  return type_name(allowed, T{});
}
template <typename Allowed, typename T>
std::string_view type_name(const Allowed&, const T&) {
  return "choice";
}

/// The functions a set of params uses, if it has a choice of them.
template <typename Params>
std::optional<Functions> functions_of(const Params& params) {
  if constexpr (requires {
                  { params.functions } -> std::convertible_to<Functions>;
                }) {
    return params.functions;
  } else {
    return std::nullopt;
  }
}

/// MethodOptions as one map of names and texts.
std::map<std::string, std::string> all_given(const MethodOptions& given);

[[noreturn]] void fail_value(std::string_view name, std::string_view allowed, bool may_be_auto,
                             std::string_view got);
[[noreturn]] void fail_no_effect(std::string_view name, Functions functions);
[[noreturn]] void fail_unknown(std::string_view method, std::string_view name,
                               const std::vector<std::string_view>& known);
std::vector<std::string_view> names_of(const FunctionSet& functions);

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

}  // namespace options

template <typename Table, typename Visit>
constexpr void for_each_option(const Table& table, Visit&& visit) {
  std::apply([&](const auto&... option) { (visit(option), ...); }, table);
}

/// Params from text.  An unknown name, a value that is not allowed, and an option that the chosen
/// functions do not use are errors (Errc::usage) that say what is allowed.
template <typename Params, typename Table>
Params read_options(std::string_view method, const Table& table, const MethodOptions& given) {
  auto unread = options::all_given(given);
  Params params;
  std::vector<std::string_view> known;
  for_each_option(table, [&](const auto& option) {
    known.push_back(option.name);
    const auto found = unread.find(std::string(option.name));
    if (found == unread.end()) {
      return;
    }
    auto& value = params.*option.member;
    if (!options::read(found->second, option.allowed, value)) {
      options::fail_value(option.name, options::allowed_text(option.allowed),
                          options::is_optional<std::remove_cvref_t<decltype(value)>>,
                          found->second);
    }
  });
  const std::optional<Functions> functions = options::functions_of(params);
  for_each_option(table, [&](const auto& option) {
    if (unread.erase(std::string(option.name)) > 0 && functions &&
        !option.functions.contains(*functions)) {
      options::fail_no_effect(option.name, *functions);
    }
  });
  if (!unread.empty()) {
    options::fail_unknown(method, unread.begin()->first, known);
  }
  return params;
}

/// Throws Errc::usage for the first value that is not allowed: for params made in C++.
template <typename Params, typename Table>
void check_options(const Table& table, const Params& params) {
  for_each_option(table, [&](const auto& option) {
    const nlohmann::json json = options::to_json(option.allowed, params.*option.member);
    auto copy = params.*option.member;
    const std::string text = json.is_string() ? json.get<std::string>() : json.dump();
    if (!options::read(text, option.allowed, copy)) {
      options::fail_value(option.name, options::allowed_text(option.allowed),
                          options::is_optional<std::remove_cvref_t<decltype(copy)>>, text);
    }
  });
}

/// Every option that the chosen functions use, under its name with '_' for '-'; "auto" where the
/// value is chosen from the data.
template <typename Params, typename Table>
nlohmann::json to_json(const Table& table, const Params& params) {
  nlohmann::json json = nlohmann::json::object();
  const std::optional<Functions> functions = options::functions_of(params);
  for_each_option(table, [&](const auto& option) {
    if (!functions || option.functions.contains(*functions)) {
      std::string name(option.name);
      std::ranges::replace(name, '-', '_');
      json[name] = options::to_json(option.allowed, params.*option.member);
    }
  });
  return json;
}

/// The options as help and reference pages show them.
template <typename Params, typename Table>
std::vector<OptionInfo> describe_options(const Table& table) {
  const Params defaults;
  std::vector<OptionInfo> described;
  for_each_option(table, [&](const auto& option) {
    const nlohmann::json value = options::to_json(option.allowed, defaults.*option.member);
    described.push_back(
        {.name = option.name,
         .type = options::type_name(option.allowed, defaults.*option.member),
         .default_value = value.is_string() ? value.get<std::string>() : value.dump(),
         .allowed = options::allowed_text(option.allowed),
         .help = option.help,
         .functions = option.functions == kAllFunctions ? std::vector<std::string_view>{}
                                                        : options::names_of(option.functions)});
  });
  return described;
}

}  // namespace structhash
