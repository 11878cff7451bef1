#include "core/header_fields.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/json_text.hpp"

namespace structhash {

HeaderFields::HeaderFields(const Container& file)
    : file_(file), json_(parse_json<nlohmann::json>(file.header())) {}

const nlohmann::json& HeaderFields::field(std::string_view key) const {
  const auto found = json_.find(std::string(key));
  if (found == json_.end()) {
    file_.fail_corrupt(fmt::format("its header has no '{}'", key));
  }
  return *found;
}

Index HeaderFields::count(std::string_view key) const {
  const nlohmann::json& value = field(key);
  if (!value.is_number_unsigned() ||
      value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<Index>::max()}) {
    file_.fail_corrupt(fmt::format("'{}' in its header is not a count", key));
  }
  return value.get<Index>();
}

std::string HeaderFields::text(std::string_view key) const {
  const nlohmann::json& value = field(key);
  if (!value.is_string()) {
    file_.fail_corrupt(fmt::format("'{}' in its header is not a text", key));
  }
  return value.get<std::string>();
}

std::string HeaderFields::text_or(std::string_view key, std::string_view missing) const {
  return json_.contains(std::string(key)) ? text(key) : std::string(missing);
}

std::string HeaderFields::object(std::string_view key) const {
  const nlohmann::json& value = field(key);
  if (!value.is_object()) {
    file_.fail_corrupt(fmt::format("'{}' in its header is not a JSON object", key));
  }
  return value.dump();
}

void HeaderFields::expect_text(std::string_view key, std::string_view expected) const {
  const std::string found = text(key);
  if (found != expected) {
    file_.fail_corrupt(
        fmt::format("'{}' in its header is '{}', and only '{}' is known", key, found, expected));
  }
}

}  // namespace structhash
