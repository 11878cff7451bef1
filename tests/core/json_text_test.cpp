#include "core/json_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace structhash {
namespace {

using Json = nlohmann::json;

std::string nested(int depth) {
  const auto count = static_cast<std::size_t>(depth);
  return std::string(count, '[') + std::string(count, ']');
}

TEST(JsonText, DeepDocumentsAreRefused) {
  EXPECT_TRUE(parse_json<Json>(nested(kMaxJsonDepth)).is_array());
  EXPECT_TRUE(parse_json<Json>(nested(kMaxJsonDepth + 1)).is_discarded());
  EXPECT_TRUE(parse_json<Json>(nested(1'000'000)).is_discarded());
  std::string objects;
  for (int i = 0; i <= kMaxJsonDepth; ++i) {
    objects += R"({"a":)";
  }
  EXPECT_FALSE(json_is_shallow(objects));
  EXPECT_TRUE(parse_json<Json>("{} {}").is_discarded());
}

TEST(JsonText, BracketsInTextsAreNoDepth) {
  const std::string brackets(1000, '[');
  EXPECT_TRUE(parse_json<Json>("[\"" + brackets + "\"]").is_array());
  EXPECT_TRUE(parse_json<Json>(R"(["\"[[", "\\", [1]])").is_array());
  EXPECT_FALSE(json_is_shallow(R"("\\")" + brackets));  // the text ended before them
  EXPECT_TRUE(json_is_shallow(R"("\)"));
}

}  // namespace
}  // namespace structhash
