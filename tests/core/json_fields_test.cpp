#include "core/json_fields.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace structhash {
namespace {

using test::expect_error;

JsonFields fields_of(std::string_view text) {
  return JsonFields::parse(text, "e.json", Errc::usage);
}

TEST(JsonFields, ValuesOfEveryKind) {
  const JsonFields fields = fields_of(
      R"({"b":true,"i":-5,"u":18446744073709551615,"d":2.5,"s":"x","l":[1,2],"f":[0.5,null],)"
      R"("m":{"a":1,"b":0.5},"o":{"z":1,"a":2}})");
  EXPECT_TRUE(fields.get<bool>("b"));
  EXPECT_EQ(fields.get<Index>("i"), -5);
  EXPECT_EQ(fields.get<std::uint64_t>("u"), 18446744073709551615ULL);
  EXPECT_EQ(fields.get<double>("d"), 2.5);
  EXPECT_EQ(fields.text("s"), "x");
  EXPECT_EQ(fields.get<std::vector<Index>>("l"), (std::vector<Index>{1, 2}));
  EXPECT_TRUE(std::isnan(fields.get<std::vector<float>>("f")[1]));
  EXPECT_EQ((fields.get<std::map<std::string, double>>("m").at("b")), 0.5);
  EXPECT_EQ(fields.object("o"), R"({"z":1,"a":2})");
  EXPECT_EQ(fields.get_or<Index>("none", 7), 7);
  EXPECT_NO_THROW(fields.fields("none").finish());
  EXPECT_NO_THROW(fields.finish());
}

TEST(JsonFields, WholeNumbersAreWholeAndFit) {
  for (const char* good : {"0", "-5", "9223372036854775807", "-9223372036854775808"}) {
    EXPECT_TRUE(fits_json<std::int64_t>(OrderedJson::parse(good))) << good;
  }
  for (const char* bad : {"1.5", "1e300", "9223372036854775808", "true", "\"1\"", "null", "[]"}) {
    EXPECT_FALSE(fits_json<std::int64_t>(OrderedJson::parse(bad))) << bad;
  }
  EXPECT_TRUE(fits_json<std::uint64_t>(OrderedJson::parse("18446744073709551615")));
  EXPECT_TRUE(fits_json<std::uint64_t>(OrderedJson(5)));
  EXPECT_FALSE(fits_json<std::uint64_t>(OrderedJson::parse("-1")));
  EXPECT_TRUE(fits_json<double>(OrderedJson::parse("2.5")));
}

TEST(JsonFields, ErrorsNameFileAndField) {
  const auto expect_refused = [](const std::string& words, const auto& read) {
    expect_error(Errc::usage, words, [&] {
      read(fields_of(R"({"bits":"many","list":[1,"x"],"map":{"a":"b"},"rows":[{"q":1}]})"));
    });
  };
  expect_refused("e.json: \"bits\" must be a whole number, got \"many\"",
                 [](const JsonFields& f) { f.get<Index>("bits"); });
  expect_refused("e.json: \"bits\" must be a list, got \"many\"",
                 [](const JsonFields& f) { f.list("bits"); });
  expect_refused("e.json: entry 2 of \"list\" must be a finite number, got \"x\"",
                 [](const JsonFields& f) { f.get<std::vector<double>>("list"); });
  expect_refused("e.json: \"a\" must be a finite number, got \"b\"",
                 [](const JsonFields& f) { f.get<std::map<std::string, double>>("map"); });
  expect_refused("e.json: \"seed\" is missing", [](const JsonFields& f) { f.text("seed"); });
  expect_refused("e.json, entry 1 of \"list\": must be a JSON object, got 1",
                 [](const JsonFields& f) { f.list("list"); });
  expect_refused("e.json, entry 1 of \"rows\": \"q\" must be a string, got 1",
                 [](const JsonFields& f) { f.list("rows").front().text("q"); });
  expect_refused("e.json: \"bits\" must be \"few\", got \"many\"",
                 [](const JsonFields& f) { f.expect_text("bits", "few"); });
  expect_error(Errc::usage, "e.json: must be a JSON object, got [1]", [] { fields_of("[1]"); });
  expect_error(Errc::usage, "e.json: is not valid JSON", [] { fields_of("{"); });
  expect_error(Errc::usage, "unknown field 'bit'; did you mean 'bits'? Known: bits", [] {
    const JsonFields fields = fields_of(R"({"bit":1})");
    fields.get_or<Index>("bits", 8);
    fields.finish();
  });
}

}  // namespace
}  // namespace structhash
