#include "hashing/option_table.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace structhash {
namespace {

using test::expect_error;

enum class Colour { red, green };

struct Part {
  double rate = 0.5;
};

struct Sample {
  Index bits = 64;
  Functions functions = Functions::linear;
  std::optional<double> width{};
  Index anchors = 300;
  bool centre = true;
  Colour colour = Colour::green;
  std::string note = "none";
  Part part{.rate = 0.25};
};
constexpr Choice kColours{std::array{Named{"red", Colour::red}, Named{"green", Colour::green}}};
constexpr std::tuple kOptions{
    bits_option(&Sample::bits),
    Option{"functions", &Sample::functions, FunctionChoice{kSmoothFunctions}, "Functions"},
    Option{"width", &Sample::width, above(0), "Width", kKernelFunctions},
    Option{"max-anchors", &Sample::anchors, between(2, 5000), "Anchors", kKernelFunctions},
    Option{"centre", &Sample::centre, Flag{}, "Centre"},
    Option{"colour", &Sample::colour, kColours, "Colour"},
    Option{"note", &Sample::note, Text{}, "Note"},
    Option{"rate", Nested{&Sample::part, &Part::rate}, kShare, "Rate"}};

Sample read(std::map<std::string, std::string> extra, const char* functions = "", Index bits = 8) {
  return read_options<Sample>(
      "sample", kOptions,
      {.bits = bits, .measure = "", .functions = functions, .extra = std::move(extra)});
}

void expect_refused(const std::string& message, std::map<std::string, std::string> extra,
                    const char* functions = "", Index bits = 8) {
  expect_error(Errc::usage, message, [&] { read(std::move(extra), functions, bits); });
}

TEST(OptionTable, ReadsWhatIsGivenAndKeepsDefaults) {
  const Sample none = read({});
  EXPECT_EQ(none.bits, 8);
  EXPECT_EQ(none.anchors, 300);
  EXPECT_EQ(none.part.rate, 0.25);
  const Sample all = read({{"width", "1e-3"},
                           {"max-anchors", "20"},
                           {"centre", "false"},
                           {"colour", "red"},
                           {"note", "x y"},
                           {"rate", "1"}},
                          "kernel");
  EXPECT_EQ(all.functions, Functions::kernel);
  EXPECT_EQ(all.width, 1e-3);
  EXPECT_EQ(all.anchors, 20);
  EXPECT_FALSE(all.centre);
  EXPECT_EQ(all.colour, Colour::red);
  EXPECT_EQ(all.note, "x y");
  EXPECT_EQ(all.part.rate, 1.0);
  EXPECT_EQ(read({{"width", "auto"}}, "kernel").width, std::nullopt);
}

TEST(OptionTable, RefusesValuesThatAreNotAllowed) {
  expect_refused("bits must be 1 to 4,096, got 0", {}, "", 0);
  expect_refused("bits must be 1 to 4,096, got 4097", {}, "", 4097);
  for (const std::string value : {"", "x", "3x", "3.5", " 3", "1", "99999999999999999999"}) {
    expect_refused("max-anchors must be 2 to 5,000, got " + (value.empty() ? "nothing" : value),
                   {{"max-anchors", value}}, "kernel");
  }
  for (const std::string value : {"x", "1,5", "nan", "inf", "1e999", "0", "-1"}) {
    expect_refused("width must be above 0, or auto, got " + value, {{"width", value}}, "kernel");
  }
  for (const std::string value : {"1", "yes", "True"}) {
    expect_refused("centre must be true or false, got " + value, {{"centre", value}});
  }
  expect_refused("rate must be above 0 and at most 1, got 1.5", {{"rate", "1.5"}});
  expect_refused("colour must be red or green, got blue", {{"colour", "blue"}});
  expect_refused("functions must be linear or kernel, got tree", {}, "tree");
}

TEST(OptionTable, RefusesOptionsWithoutEffectAndUnknownOnes) {
  expect_refused("width has no effect on linear functions; leave it out", {{"width", "1"}});
  expect_refused("unknown option of method 'sample': 'colours'; did you mean 'colour'? Known: bits",
                 {{"colours", "red"}});
  expect_refused("option 'bits' is given twice", {{"bits", "3"}});
  struct Plain {
    Index bits = 1;
  };
  constexpr std::tuple table{bits_option(&Plain::bits)};
  expect_error(Errc::usage, "method 'plain' does not learn for a measure; leave out the measure",
               [&] { read_options<Plain>("plain", table, {.bits = 8, .measure = "auc"}); });
  expect_error(Errc::usage, "method 'plain' has no choice of hash functions",
               [&] { read_options<Plain>("plain", table, {.bits = 8, .functions = "tree"}); });
}

TEST(OptionTable, ChecksParamsMadeInCode) {
  EXPECT_NO_THROW(check_options(kOptions, Sample{}));
  expect_error(Errc::usage, "rate must be above 0 and at most 1, got 2.0",
               [] { check_options(kOptions, Sample{.part = {.rate = 2.0}}); });
}

TEST(OptionTable, JsonHoldsTheOptionsThatAreUsed) {
  EXPECT_EQ(to_json(kOptions, Sample{}).dump(),
            R"({"bits":64,"centre":true,"colour":"green","functions":"linear","note":"none",)"
            R"("rate":0.25})");
  const auto kernel = to_json(kOptions, Sample{.functions = Functions::kernel});
  EXPECT_EQ(kernel["width"], "auto");
  EXPECT_EQ(kernel["max_anchors"], 300);
}

TEST(OptionTable, DescribesItself) {
  const std::vector<OptionInfo> described = describe_options<Sample>(kOptions);
  ASSERT_EQ(described.size(), 8U);
  EXPECT_EQ(described[0].type, "integer");
  EXPECT_EQ(described[0].default_value, "64");
  EXPECT_EQ(described[0].allowed, "1 to 4,096");
  EXPECT_EQ(described[1].allowed, "linear or kernel");
  EXPECT_EQ(described[1].choices, (std::vector<std::string_view>{"linear", "kernel"}));
  EXPECT_EQ(described[2].type, "number");
  EXPECT_EQ(described[2].default_value, "auto");
  EXPECT_EQ(described[2].functions, (std::vector<std::string_view>{"kernel"}));
  EXPECT_EQ(described[4].type, "flag");
  EXPECT_EQ(described[5].default_value, "green");
  EXPECT_EQ(described[6].type, "text");
}

}  // namespace
}  // namespace structhash
