#pragma once

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
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
///       bits_option(&SdhParams::bits),
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
inline constexpr Range kShare{.min = 0, .max = 1, .open_min = true};

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

/// A member of a part of the params: Nested{&SdhParams::features, &FeatureParams::anchors}.
template <typename Outer, typename Inner>
struct Nested {
  Outer outer;
  Inner inner;
  constexpr auto& operator()(auto& params) const { return params.*outer.*inner; }
};
template <typename Outer, typename Inner>
Nested(Outer, Inner) -> Nested<Outer, Inner>;

template <typename Member, typename Allowed>
struct Option {
  std::string_view name;
  Member member;  // pointer to a member, or Nested
  Allowed allowed;
  std::string_view help;
  FunctionSet functions = kAllFunctions;  // that use it

  constexpr auto& of(auto& params) const { return std::invoke(member, params); }
};
template <typename Member, typename Allowed>
Option(std::string_view, Member, Allowed, std::string_view) -> Option<Member, Allowed>;
template <typename Member, typename Allowed>
Option(std::string_view, Member, Allowed, std::string_view, FunctionSet) -> Option<Member, Allowed>;

template <typename Params>
constexpr auto bits_option(Index Params::* bits) {
  return Option{"bits", bits, kBitsRange, "Number of bits per code"};
}

namespace options {

/// The names to choose from; none for numbers, flags and text.
std::vector<std::string_view> choices(const FunctionChoice& allowed);
template <typename Value, std::size_t N>
std::vector<std::string_view> choices(const Choice<Value, N>& allowed) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : allowed.names) {
    names.push_back(name);
  }
  return names;
}
template <typename Allowed>
std::vector<std::string_view> choices(const Allowed& /*allowed*/) {
  return {};
}

/// "1 to 4,096", "above 0", "at least 0", "true or false", "hinge, ksh or bre".
std::string allowed_text(const Range& range);
std::string allowed_text(Flag allowed);
std::string allowed_text(Text allowed);
std::string one_of(const std::vector<std::string_view>& names);
template <typename Allowed>
std::string allowed_text(const Allowed& allowed) {
  return one_of(choices(allowed));
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

/// MethodOptions as one map of names and texts.
std::map<std::string, std::string> all_given(const MethodOptions& given);

[[noreturn]] void fail_value(std::string_view name, std::string_view allowed, bool may_be_auto,
                             std::string_view got);
/// The loops over a table are compiled once per method; what does not depend on types is here.
std::string as_text(const nlohmann::json& value);
const std::string* find(const std::map<std::string, std::string>& given, std::string_view name);
void set_field(nlohmann::json& json, std::string_view name, nlohmann::json value);
/// Fails if an option is given that `functions` do not use.
void check_effect(const std::map<std::string, std::string>& given, std::string_view name,
                  FunctionSet used_by, std::optional<Functions> functions);
void check_known(std::string_view method, const std::map<std::string, std::string>& given,
                 const std::vector<std::string_view>& known);

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// Reads the text into the member of the option; throws Errc::usage if it is not allowed.
template <typename Option, typename Params>
void read_into(Params& params, const Option& option, std::string_view text) {
  auto& value = option.of(params);
  if (!read(text, option.allowed, value)) {
    fail_value(option.name, allowed_text(option.allowed),
               is_optional<std::remove_cvref_t<decltype(value)>>, text);
  }
}

template <typename Option, typename Params>
std::string text_of(const Option& option, const Params& params) {
  return as_text(to_json(option.allowed, option.of(params)));
}

}  // namespace options

template <typename Table, typename Visit>
constexpr void for_each_option(const Table& table, Visit&& visit) {
  std::apply([&](const auto&... option) { (visit(option), ...); }, table);
}

/// The kind of hash functions that the params choose; nothing if the table has no such option.
template <typename Params, typename Table>
std::optional<Functions> chosen_functions(const Table& table, const Params& params) {
  std::optional<Functions> chosen;
  for_each_option(table, [&](const auto& option) {
    using Value = std::remove_cvref_t<decltype(option.of(params))>;
    if constexpr (std::is_same_v<Value, Functions>) {
      chosen = option.of(params);
    }
  });
  return chosen;
}

/// Params from text.  An unknown name, a value that is not allowed, and an option that the chosen
/// functions do not use are errors (Errc::usage) that say what is allowed.
/// params: the defaults.
template <typename Params, typename Table>
Params read_options(std::string_view method, const Table& table, const MethodOptions& given,
                    Params params = {}) {
  const auto texts = options::all_given(given);
  std::vector<std::string_view> known;
  for_each_option(table, [&](const auto& option) {
    known.push_back(option.name);
    if (const std::string* text = options::find(texts, option.name)) {
      options::read_into(params, option, *text);
    }
  });
  const std::optional<Functions> functions = chosen_functions(table, params);
  for_each_option(table, [&](const auto& option) {
    options::check_effect(texts, option.name, option.functions, functions);
  });
  options::check_known(method, texts, known);
  return params;
}

/// Throws Errc::usage for the first value that is not allowed: for params made in C++.
template <typename Params, typename Table>
void check_options(const Table& table, const Params& params) {
  Params copy = params;
  for_each_option(table, [&](const auto& option) {
    options::read_into(copy, option, options::text_of(option, params));
  });
}

/// Every option that the chosen functions use, under its name with '_' for '-'; "auto" where the
/// value is chosen from the data.
template <typename Params, typename Table>
nlohmann::json to_json(const Table& table, const Params& params) {
  nlohmann::json json = nlohmann::json::object();
  const std::optional<Functions> functions = chosen_functions(table, params);
  for_each_option(table, [&](const auto& option) {
    if (!functions || option.functions.contains(*functions)) {
      options::set_field(json, option.name, options::to_json(option.allowed, option.of(params)));
    }
  });
  return json;
}

/// The options as help and reference pages show them.
template <typename Params, typename Table>
std::vector<OptionInfo> describe_options(const Table& table, const Params& defaults = {}) {
  std::vector<OptionInfo> described;
  for_each_option(table, [&](const auto& option) {
    described.push_back({.name = option.name,
                         .type = options::type_name(option.allowed, option.of(defaults)),
                         .default_value = options::text_of(option, defaults),
                         .allowed = options::allowed_text(option.allowed),
                         .choices = options::choices(option.allowed),
                         .help = option.help,
                         .functions = option.functions == kAllFunctions
                                          ? std::vector<std::string_view>{}
                                          : names_of(option.functions)});
  });
  return described;
}

}  // namespace structhash
