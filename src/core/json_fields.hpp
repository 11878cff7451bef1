#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "structhash/core/container.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/types.hpp"

/// Reading the fields of JSON objects, with errors that name the file, the field and its value.
namespace structhash {

using OrderedJson = nlohmann::ordered_json;

/// A string without its quotes, any other value as JSON.
std::string as_text(const OrderedJson& json);

/// What a value must be to become a T.
template <typename T>
constexpr std::string_view json_kind() {
  if constexpr (std::same_as<T, bool>) {
    return "true or false";
  } else if constexpr (std::unsigned_integral<T>) {
    return "a whole number of 0 or more";
  } else if constexpr (std::integral<T>) {
    return "a whole number";
  } else if constexpr (std::same_as<T, double>) {
    return "a finite number";
  } else if constexpr (std::same_as<T, float>) {
    return "a finite number or null";
  } else {
    static_assert(std::same_as<T, std::string>, "no field has a value of this type");
    return "a string";
  }
}

/// 1.5, 1e300 and, for an unsigned T, -1 do not fit: a conversion would give another number.
template <typename T>
bool fits_json(const OrderedJson& json) {
  if constexpr (std::same_as<T, bool>) {
    return json.is_boolean();
  } else if constexpr (std::integral<T>) {
    const bool negative =
        json.is_number_integer() && !json.is_number_unsigned() && json.get<std::int64_t>() < 0;
    return json.is_number_integer() &&
           (negative ? std::signed_integral<T>
                     : json.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<T>::max()});
  } else if constexpr (std::floating_point<T>) {
    return (json.is_number() && std::isfinite(json.get<T>())) ||
           (std::same_as<T, float> && json.is_null());
  } else {
    return json.is_string();
  }
}

/// One object.  It remembers the names of the fields that callers know, to find misspelt ones.
class JsonFields {
 public:
  /// `where` names the object in errors: "e.json, entry 2 of \"rows\"".
  JsonFields(OrderedJson json, std::string where, Errc code);
  static JsonFields parse(std::string_view text, std::string where, Errc code);
  /// The header of a file, which must outlive the fields; errors are those of a damaged file.
  explicit JsonFields(const Container& file);

  const std::string& where() const { return where_; }
  bool has(std::string_view name) const;

  /// The value of a required field: a bool, integer, double, string, or float (null becomes NaN),
  /// or a std::vector or std::map<std::string, ...> of these.
  template <typename T>
  T get(std::string_view name) const {
    return read(field(name), name, std::type_identity<T>{});
  }
  template <typename T>
  T get_or(std::string_view name, T default_value) const {
    return has(name) ? get<T>(name) : default_value;
  }
  std::string text(std::string_view name) const { return get<std::string>(name); }
  std::string any_text_or(std::string_view name, std::string_view default_value) const;
  Index count(std::string_view name) const;         // a whole number of 0 or more
  std::string object(std::string_view name) const;  // a JSON object as text
  JsonFields fields(std::string_view name) const;   // of an object; empty without the field
  std::vector<JsonFields> list(std::string_view name) const;  // of a required list
  void expect_text(std::string_view name, std::string_view expected) const;

  /// The object as text, without some of its fields.
  std::string text_without(std::initializer_list<std::string_view> names) const;
  std::vector<std::string> rest() const;  // names of the fields that nobody knows so far
  std::map<std::string, std::string> rest_as_text() const;
  void finish() const;  // throws if there are any
  [[noreturn]] void fail(std::string_view what) const;

 private:
  const OrderedJson& field(std::string_view name) const;
  [[noreturn]] void wrong(std::string_view name, std::string_view kind,
                          const OrderedJson& json) const;

  template <typename T>
  T read(const OrderedJson& json, std::string_view name, std::type_identity<T> /*type*/) const {
    if (!fits_json<T>(json)) {
      wrong(name, json_kind<T>(), json);
    }
    if constexpr (std::same_as<T, float>) {
      return json.is_null() ? std::numeric_limits<T>::quiet_NaN() : json.get<T>();
    } else {
      return json.get<T>();
    }
  }

  template <typename T>
  std::vector<T> read(const OrderedJson& json, std::string_view name,
                      std::type_identity<std::vector<T>> /*type*/) const {
    if (!json.is_array()) {
      wrong(name, "a list", json);
    }
    std::vector<T> values;
    values.reserve(json.size());
    for (const OrderedJson& entry : json) {
      if (!fits_json<T>(entry)) {
        wrong_entry(name, values.size() + 1, json_kind<T>(), entry);
      }
      values.push_back(read(entry, name, std::type_identity<T>{}));
    }
    return values;
  }

  template <typename T>
  std::map<std::string, T> read(const OrderedJson& json, std::string_view name,
                                std::type_identity<std::map<std::string, T>> /*type*/) const {
    if (!json.is_object()) {
      wrong(name, "an object", json);
    }
    std::map<std::string, T> values;
    for (const auto& [key, value] : json.items()) {
      values[key] = read(value, key, std::type_identity<T>{});
    }
    return values;
  }
  [[noreturn]] void wrong_entry(std::string_view name, std::size_t number, std::string_view kind,
                                const OrderedJson& json) const;

  OrderedJson json_;
  std::string where_;
  Errc code_ = Errc::corrupt_file;
  const Container* file_ = nullptr;
  mutable std::set<std::string, std::less<>> known_;
};

}  // namespace structhash
