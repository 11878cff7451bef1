#include <gtest/gtest.h>

#include <regex>

#include "structhash/core/version.hpp"
#include "structhash/evaluation/experiment.hpp"

namespace structhash {
namespace {

ResultRow row_of(const std::string& method, const std::string& distance, double map,
                 std::uint64_t seed = 1) {
  return {.dataset = "d",
          .method = method,
          .params = "{}",
          .bits = 8,
          .seed = seed,
          .distance = distance,
          .measures = {{"map", map}}};
}

/// First against every other method by any of its distances; its own other rows do not count.
TEST(Verdicts, FirstAmongOtherMethods) {
  std::vector<ResultRow> rows{row_of("ours", "weighted", 0.8), row_of("ours", "hamming", 0.9),
                              row_of("other", "hamming", 0.75), row_of("other", "product", 0.9, 1),
                              row_of("other", "product", 0.6, 2)};
  Experiment experiment;
  experiment.expectations.push_back({.rows = {.dataset = "d", .method = "ours"},
                                     .at_least = {},
                                     .within = {{"map", 0.0}},
                                     .among = {.dataset = "d", .except = "ours", .distance = ""}});
  // By product the other reaches (.9 + .6) / 2: its distances are not averaged with each other.
  const std::vector<Verdict> verdicts = judge(experiment, rows);
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_DOUBLE_EQ(verdicts[0].wanted, 0.75);
  EXPECT_DOUBLE_EQ(verdicts[0].reached, 0.8);
  EXPECT_TRUE(verdicts[0].passed());
  // Adaptive distances compare vectors with codes and count only where they are named.
  rows.push_back(row_of("other", "adaptive", 0.95));
  EXPECT_TRUE(judge(experiment, rows)[0].passed());
  experiment.expectations[0].among.distance = "adaptive";
  EXPECT_DOUBLE_EQ(judge(experiment, rows)[0].wanted, 0.95);
  experiment.expectations[0].among.distance = "";
  rows[2].measures[0].second = 0.81;
  EXPECT_FALSE(judge(experiment, rows)[0].passed());
}

TEST(CodeVersion, IsAReleaseAndAFingerprint) {
  const std::string version(code_version());
  EXPECT_TRUE(std::regex_match(version, std::regex(R"(\d+\.\d+\.\d+\+[0-9a-f]{8})"))) << version;
}

}  // namespace
}  // namespace structhash
