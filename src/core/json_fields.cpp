#include "core/json_fields.hpp"

#include <fmt/format.h>

#include "core/json_text.hpp"
#include "core/suggest.hpp"

namespace structhash {
namespace {

/// The value as it is quoted in errors.
std::string shown(const OrderedJson& json) {
  constexpr std::size_t kMaxLength = 40;
  const std::string text = json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  return text.size() <= kMaxLength ? text : text.substr(0, kMaxLength) + "...";
}

}  // namespace

std::string as_text(const OrderedJson& json) {
  return json.is_string() ? json.get<std::string>() : json.dump();
}

JsonFields::JsonFields(OrderedJson json, std::string where, Errc code)
    : json_(std::move(json)), where_(std::move(where)), code_(code) {
  if (!json_.is_object()) {
    fail("must be a JSON object, got " + shown(json_));
  }
}

JsonFields JsonFields::parse(std::string_view text, std::string where, Errc code) {
  OrderedJson json = parse_json<OrderedJson>(text);
  if (json.is_discarded()) {
    structhash::fail(code, where + ": is not valid JSON, or is nested too deep");
  }
  return {std::move(json), std::move(where), code};
}

JsonFields::JsonFields(const Container& file)
    : json_(parse_json<OrderedJson>(file.header())), where_("header"), file_(&file) {}

bool JsonFields::has(std::string_view name) const {
  known_.emplace(name);
  return json_.contains(name);
}

std::string JsonFields::any_text_or(std::string_view name, std::string_view default_value) const {
  return has(name) ? as_text(field(name)) : std::string(default_value);
}

Index JsonFields::count(std::string_view name) const {
  const OrderedJson& json = field(name);
  if (!json.is_number_unsigned() || !fits_json<Index>(json)) {
    wrong(name, json_kind<std::uint64_t>(), json);
  }
  return json.get<Index>();
}

std::string JsonFields::object(std::string_view name) const {
  const OrderedJson& json = field(name);
  if (!json.is_object()) {
    wrong(name, "an object", json);
  }
  return json.dump();
}

JsonFields JsonFields::fields(std::string_view name) const {
  return {has(name) ? field(name) : OrderedJson::object(), fmt::format("{}, \"{}\"", where_, name),
          code_};
}

std::vector<JsonFields> JsonFields::list(std::string_view name) const {
  const OrderedJson& json = field(name);
  if (!json.is_array()) {
    wrong(name, "a list", json);
  }
  std::vector<JsonFields> objects;
  objects.reserve(json.size());
  for (const OrderedJson& entry : json) {
    objects.emplace_back(
        entry, fmt::format("{}, entry {} of \"{}\"", where_, objects.size() + 1, name), code_);
  }
  return objects;
}

void JsonFields::expect_text(std::string_view name, std::string_view expected) const {
  const std::string found = text(name);
  if (found != expected) {
    fail(fmt::format("\"{}\" must be \"{}\", got \"{}\"", name, expected, found));
  }
}

std::string JsonFields::text_without(std::initializer_list<std::string_view> names) const {
  OrderedJson json = json_;
  for (const std::string_view name : names) {
    json.erase(name);
  }
  return json.dump();
}

std::vector<std::string> JsonFields::rest() const {
  std::vector<std::string> rest;
  for (const auto& [name, value] : json_.items()) {
    if (!known_.contains(name)) {
      rest.push_back(name);
    }
  }
  return rest;
}

std::map<std::string, std::string> JsonFields::rest_as_text() const {
  std::map<std::string, std::string> texts;
  for (const std::string& name : rest()) {
    texts[name] = as_text(field(name));
  }
  return texts;
}

void JsonFields::finish() const {
  if (const std::vector<std::string> unknown = rest(); !unknown.empty()) {
    const std::vector<std::string_view> known(known_.begin(), known_.end());
    fail(unknown_name("field", unknown.front(), known));
  }
}

void JsonFields::fail(std::string_view what) const {
  const std::string message = fmt::format("{}: {}", where_, what);
  if (file_ != nullptr) {
    file_->fail_corrupt(message);
  }
  structhash::fail(code_, message);
}

const OrderedJson& JsonFields::field(std::string_view name) const {
  if (!has(name)) {
    fail(fmt::format("\"{}\" is missing", name));
  }
  return json_.at(name);
}

void JsonFields::wrong(std::string_view name, std::string_view kind,
                       const OrderedJson& json) const {
  fail(fmt::format("\"{}\" must be {}, got {}", name, kind, shown(json)));
}

void JsonFields::wrong_entry(std::string_view name, std::size_t number, std::string_view kind,
                             const OrderedJson& json) const {
  fail(fmt::format("entry {} of \"{}\" must be {}, got {}", number, name, kind, shown(json)));
}

}  // namespace structhash
