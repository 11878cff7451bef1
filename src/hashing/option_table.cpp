#include "hashing/option_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/suggest.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace options {
namespace {

template <typename Number>
bool read_number(std::string_view text, const Range& allowed, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end && std::isfinite(static_cast<double>(value)) &&
         allowed.contains(static_cast<double>(value));
}

/// Whole numbers with a comma every three digits, others as short as they can be read back.
std::string number_text(double value) {
  if (value != std::floor(value) || std::abs(value) >= 1e15) {
    return fmt::format("{}", value);
  }
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (auto at = std::ssize(digits) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return fmt::format("{}{}", value < 0.0 ? "-" : "", digits);
}

}  // namespace

std::string allowed_text(const Range& range) {
  const bool has_min = std::isfinite(range.min);
  const bool has_max = std::isfinite(range.max);
  if (!has_min && !has_max) {
    return "a number";
  }
  const std::string min = (range.open_min ? "above " : "at least ") + number_text(range.min);
  const std::string max = (range.open_max ? "below " : "at most ") + number_text(range.max);
  if (!has_max) {
    return min;
  }
  if (!has_min) {
    return max;
  }
  return range.open_min || range.open_max
             ? min + " and " + max
             : number_text(range.min) + " to " + number_text(range.max);
}

std::string allowed_text(Flag /*allowed*/) {
  return "true or false";
}

std::string allowed_text(Text /*allowed*/) {
  return "text";
}

std::string one_of(const std::vector<std::string_view>& names) {
  const auto last = names.end() - 1;
  return last == names.begin()
             ? std::string(*last)
             : fmt::format("{} or {}", fmt::join(names.begin(), last, ", "), *last);
}

std::vector<std::string_view> choices(const FunctionChoice& allowed) {
  return names_of(allowed.allowed);
}

bool read(std::string_view text, const Range& allowed, double& value) {
  return read_number(text, allowed, value);
}

bool read(std::string_view text, const Range& allowed, Index& value) {
  return read_number(text, allowed, value);
}

bool read(std::string_view text, const Range& allowed, int& value) {
  return read_number(text, allowed, value);
}

bool read(std::string_view text, Flag /*allowed*/, bool& value) {
  value = text == "true";
  return value || text == "false";
}

bool read(std::string_view text, Text /*allowed*/, std::string& value) {
  value = text;
  return true;
}

bool read(std::string_view text, const FunctionChoice& allowed, Functions& value) {
  return read(text, Choice{kFunctionNames}, value) && allowed.allowed.contains(value);
}

nlohmann::json to_json(const Range& /*allowed*/, double value) {
  return value;
}

nlohmann::json to_json(const Range& /*allowed*/, Index value) {
  return value;
}

nlohmann::json to_json(const Range& /*allowed*/, int value) {
  return value;
}

nlohmann::json to_json(Flag /*allowed*/, bool value) {
  return value;
}

nlohmann::json to_json(Text /*allowed*/, const std::string& value) {
  return value;
}

nlohmann::json to_json(const FunctionChoice& /*allowed*/, Functions value) {
  return std::string(name_of(value));
}

std::string_view type_name(const Range& /*allowed*/, double /*value*/) {
  return "number";
}

std::string_view type_name(const Range& /*allowed*/, Index /*value*/) {
  return "integer";
}

std::string_view type_name(const Range& /*allowed*/, int /*value*/) {
  return "integer";
}

std::string_view type_name(Flag /*allowed*/, bool /*value*/) {
  return "flag";
}

std::string_view type_name(Text /*allowed*/, const std::string& /*value*/) {
  return "text";
}

std::map<std::string, std::string> all_given(const MethodOptions& given) {
  auto all = given.extra;
  const auto add = [&](const char* name, const std::string& value) {
    require(all.emplace(name, value).second,
            fmt::format("option '{}' is given twice: it has a setting of its own", name));
  };
  add("bits", std::to_string(given.bits));
  if (!given.measure.empty()) {
    add("measure", given.measure);
  }
  if (!given.functions.empty()) {
    add("functions", given.functions);
  }
  return all;
}

void fail_value(std::string_view name, std::string_view allowed, bool may_be_auto,
                std::string_view got) {
  fail(Errc::usage, fmt::format("{} must be {}{}, got {}", name, allowed,
                                may_be_auto ? ", or auto" : "", got.empty() ? "nothing" : got));
}

std::string as_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

const std::string* find(const std::map<std::string, std::string>& given, std::string_view name) {
  const auto found = given.find(std::string(name));
  return found == given.end() ? nullptr : &found->second;
}

void set_field(nlohmann::json& json, std::string_view name, nlohmann::json value) {
  std::string field(name);
  std::ranges::replace(field, '-', '_');
  json[field] = std::move(value);
}

void check_effect(const std::map<std::string, std::string>& given, std::string_view name,
                  FunctionSet used_by, std::optional<Functions> functions) {
  if (functions && !used_by.contains(*functions) && find(given, name) != nullptr) {
    fail(Errc::usage,
         fmt::format("{} has no effect on {} functions; leave it out", name, name_of(*functions)));
  }
}

[[noreturn]]  /// Why no option has this name.
[[noreturn]] static void
fail_unknown(std::string_view method, std::string_view name,
             const std::vector<std::string_view>& known) {
  if (name == "measure") {
    fail(Errc::usage,
         fmt::format("method '{}' does not learn for a measure; leave out the measure", method));
  }
  if (name == "functions") {
    fail(Errc::usage,
         fmt::format("method '{}' has no choice of hash functions; leave out the functions",
                     method));
  }
  fail(Errc::usage, unknown_name(fmt::format("option of method '{}':", method), name, known));
}

void check_known(std::string_view method, const std::map<std::string, std::string>& given,
                 const std::vector<std::string_view>& known) {
  for (const auto& [name, text] : given) {
    if (std::ranges::find(known, name) == known.end()) {
      fail_unknown(method, name, known);
    }
  }
}

}  // namespace options

std::vector<std::string_view> names_of(const FunctionSet& functions) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : kFunctionNames) {
    if (functions.contains(value)) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace structhash
