#include "structhash/hashing/method_options.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace structhash {
namespace {

using test::expect_error;

OptionReader reader_of(std::map<std::string, std::string> extra) {
  return {"sample",
          MethodOptions{.bits = 8, .measure = "", .functions = "", .extra = std::move(extra)}};
}

TEST(OptionReader, ReadsValuesAndDefaults) {
  OptionReader reader =
      reader_of({{"anchors", "300"}, {"rate", "1e-3"}, {"on", "true"}, {"kind", "x y"}});
  EXPECT_EQ(reader.integer("anchors", 1), 300);
  EXPECT_EQ(reader.integer("absent", -7), -7);
  EXPECT_EQ(reader.number("rate", 1.0), 1e-3);
  EXPECT_EQ(reader.number("absent", 2.5), 2.5);
  EXPECT_TRUE(reader.flag("on", false));
  EXPECT_FALSE(reader.flag("absent", false));
  EXPECT_EQ(reader.text("kind", ""), "x y");
  EXPECT_EQ(reader.text("absent", "z"), "z");
  EXPECT_EQ(reader.measure("auc"), "auc");
  EXPECT_EQ(reader.functions("linear"), "linear");
  EXPECT_NO_THROW(reader.finish());
}

TEST(OptionReader, RefusesValuesOfTheWrongKind) {
  for (const char* value : {"", "x", "3x", "3.5", " 3", "99999999999999999999"}) {
    OptionReader reader = reader_of({{"n", value}});
    expect_error(Errc::usage,
                 "option 'n' of method 'sample' is '" + std::string(value) + "'; expected a whole",
                 [&] { reader.integer("n", 1); });
  }
  for (const char* value : {"", "x", "1,5", "nan", "inf", "1e999"}) {
    OptionReader reader = reader_of({{"n", value}});
    expect_error(Errc::usage, "expected a number", [&] { reader.number("n", 1); });
  }
  for (const char* value : {"", "1", "yes", "True"}) {
    OptionReader reader = reader_of({{"n", value}});
    expect_error(Errc::usage, "expected true or false", [&] { reader.flag("n", true); });
  }
}

TEST(OptionReader, RefusesOptionsNobodyAskedFor) {
  OptionReader reader = reader_of({{"anchor", "300"}});
  reader.integer("anchors", 1);
  reader.flag("on", true);
  expect_error(
      Errc::usage,
      "unknown option of method 'sample': 'anchor'; did you mean 'anchors'? Known: anchors, on",
      [&] { reader.finish(); });
  OptionReader measured("sample", {.bits = 8, .measure = "auc", .functions = "", .extra = {}});
  expect_error(Errc::usage, "leave out measure 'auc'", [&] { measured.finish(); });
  OptionReader with_functions("sample",
                              {.bits = 8, .measure = "", .functions = "tree", .extra = {}});
  expect_error(Errc::usage, "leave out functions 'tree'", [&] { with_functions.finish(); });
}

}  // namespace
}  // namespace structhash
