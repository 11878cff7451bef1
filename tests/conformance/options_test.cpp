#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "conformance/method_names.hpp"
#include "structhash/baselines/methods.hpp"
#include "support/expect_error.hpp"
#include "support/tiny_datasets.hpp"

/// What must hold for every option of every method.
namespace structhash {
namespace {

using test::expect_error;

/// Hash functions that use the option; empty: the default ones do.
std::string functions_for(const OptionInfo& option) {
  return option.functions.empty() ? "" : std::string(option.functions.front());
}

MethodOptions given(const OptionInfo& option, const std::string& value) {
  MethodOptions options{.bits = 12, .functions = functions_for(option)};
  if (option.name == "functions") {
    options.functions = value;
  } else if (option.name == "measure") {
    options.measure = value;
  } else if (option.name == "bits") {
    options.bits = std::stoll(value);
  } else {
    options.extra.emplace(option.name, value);
  }
  return options;
}

/// A value that no option of this type allows.
std::string outside(const OptionInfo& option) {
  return option.name == "bits" ? "0" : option.type == "integer" ? "-1" : "no-such-value";
}

class EveryOption : public testing::TestWithParam<MethodEntry> {};

TEST_P(EveryOption, IsDescribed) {
  for (const OptionInfo& option : GetParam().options()) {
    SCOPED_TRACE(option.name);
    EXPECT_FALSE(option.help.empty());
    EXPECT_FALSE(option.help.ends_with('.'));
    EXPECT_FALSE(option.allowed.empty());
    EXPECT_EQ(option.type == "choice", !option.choices.empty());
  }
}

TEST_P(EveryOption, ReadsItsOwnDefault) {
  for (const OptionInfo& option : GetParam().options()) {
    EXPECT_NO_THROW(GetParam().make(given(option, option.default_value))) << option.name;
  }
}

TEST_P(EveryOption, RefusesOtherValues) {
  for (const OptionInfo& option : GetParam().options()) {
    if (option.type == "text") {
      continue;
    }
    const std::string value = outside(option);
    const auto make = [&] { GetParam().make(given(option, value)); };
    expect_error(Errc::usage, std::string(option.name) + " must be " + option.allowed, make);
    expect_error(Errc::usage, ", got " + value, make);
  }
}

TEST_P(EveryOption, IsInTheModelWhereItIsUsed) {
  const TrainingSet data = test::gaussian_clusters(Seed{1}, {.clusters = 3});
  const HashModel model = GetParam().make({.bits = 6})->fit(data, {});
  auto parameters = nlohmann::json::parse(model.parameters);
  EXPECT_TRUE(parameters.contains("seed"));
  if (parameters.contains("options")) {  // apart from the tuned values
    parameters = parameters["options"];
  }
  for (const OptionInfo& option : GetParam().options()) {
    std::string name(option.name);
    std::ranges::replace(name, '-', '_');
    EXPECT_EQ(parameters.contains(name),
              !option_value(GetParam(), {.bits = 6}, option.name).empty())
        << name << "\n"
        << model.parameters;
  }
}

TEST_P(EveryOption, IsRefusedWhereItHasNoEffect) {
  const auto options = GetParam().options();
  const auto functions = std::ranges::find(options, "functions", &OptionInfo::name);
  for (const OptionInfo& option : options) {
    if (option.functions.empty()) {
      continue;
    }
    for (const std::string_view kind : functions->choices) {
      MethodOptions with = given(option, option.default_value);
      with.functions = kind;
      if (std::ranges::find(option.functions, kind) != option.functions.end()) {
        EXPECT_NO_THROW(GetParam().make(with)) << option.name << ' ' << kind;
      } else {
        expect_error(Errc::usage,
                     std::string(option.name) + " has no effect on " + std::string(kind) +
                         " functions; leave it out",
                     [&] { GetParam().make(with); });
      }
    }
  }
}

TEST(OptionValue, IsTheGivenOneOrTheDefault) {
  const MethodEntry& itq = find_method("itq");
  EXPECT_EQ(option_value(itq, {}, "functions"), "linear");
  EXPECT_EQ(option_value(itq, {}, "anchors"), "");
  EXPECT_EQ(option_value(itq, {.functions = "kernel"}, "anchors"), "300");
  MethodOptions given{.functions = "kernel"};
  given.extra = {{"anchors", "20"}};
  EXPECT_EQ(option_value(itq, given, "anchors"), "20");
  EXPECT_EQ(option_value(itq, given, "no-such-option"), "");
}

INSTANTIATE_TEST_SUITE_P(Table, EveryOption, testing::ValuesIn(methods().begin(), methods().end()),
                         test::method_name);

}  // namespace
}  // namespace structhash
