#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "structhash/core/container.hpp"
#include "structhash/core/types.hpp"

/// The JSON header of a file, read with the errors of a damaged file.
namespace structhash {

class HeaderFields {
 public:
  explicit HeaderFields(const Container& file);

  Index count(std::string_view key) const;  // a whole number >= 0
  std::string text(std::string_view key) const;
  std::string text_or(std::string_view key, std::string_view missing) const;
  std::string object(std::string_view key) const;  // a JSON object, as text
  /// Refuses a file in which `key` is anything but `expected`.
  void expect_text(std::string_view key, std::string_view expected) const;

 private:
  const nlohmann::json& field(std::string_view key) const;

  const Container& file_;
  nlohmann::json json_;
};

}  // namespace structhash
