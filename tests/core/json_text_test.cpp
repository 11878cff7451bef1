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
  EXPECT_TRUE(parse_json<Json>(nested(kDeepestJson)).is_array());
  EXPECT_TRUE(parse_json<Json>(nested(kDeepestJson + 1)).is_discarded());
  EXPECT_TRUE(parse_json<Json>(nested(1'000'000)).is_discarded());
  std::string objects;
  for (int i = 0; i <= kDeepestJson; ++i) {
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

TEST(JsonText, WholeNumbersAreWholeAndFit) {
  using Whole = WholeNumbers<std::int64_t>;
  for (const char* good : {"0", "-5", "9223372036854775807", "-9223372036854775808"}) {
    EXPECT_TRUE(Whole::only(Json::parse(good))) << good;
  }
  for (const char* bad : {"1.5", "1e300", "9223372036854775808", "true", "\"1\"", "null", "[]"}) {
    EXPECT_FALSE(Whole::only(Json::parse(bad))) << bad;
  }
  EXPECT_TRUE(WholeNumbers<std::uint64_t>::only(Json::parse("18446744073709551615")));
  EXPECT_TRUE(WholeNumbers<std::uint64_t>::only(Json(5)));
  EXPECT_FALSE(WholeNumbers<std::uint64_t>::only(Json::parse("-1")));
  EXPECT_TRUE(WholeNumbers<std::vector<std::int64_t>>::only(Json::parse("[1,2]")));
  EXPECT_FALSE(WholeNumbers<std::vector<std::int64_t>>::only(Json::parse("[1,2.5]")));
  EXPECT_TRUE(WholeNumbers<double>::only(Json::parse("2.5")));
}

}  // namespace
}  // namespace structhash
