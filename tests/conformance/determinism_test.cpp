#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "conformance/digests.hpp"
#include "conformance/method_names.hpp"

/// What docs/reliability.md promises about equal bytes.
namespace structhash {
namespace {

using test::Digests;
using test::digests_of;

class Determinism : public testing::TestWithParam<MethodEntry> {
 protected:
  static void use(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
  }
  ~Determinism() override { use(0); }
};

TEST_P(Determinism, SameBytesForAnyNumberOfThreads) {
  const Digests one = digests_of(GetParam(), 1);
  EXPECT_EQ(digests_of(GetParam(), 2), one);
  EXPECT_EQ(digests_of(GetParam(), 4), one);
}

TEST_P(Determinism, SameBytesOnEveryInstructionSet) {
  const Digests expected = digests_of(GetParam(), 1);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    use(target);
    const Digests found = digests_of(GetParam(), 1);
    EXPECT_EQ(found.model, expected.model) << hwy::TargetName(target);
    EXPECT_EQ(found.codes, expected.codes) << hwy::TargetName(target);
    EXPECT_EQ(found.neighbours, expected.neighbours) << hwy::TargetName(target);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Determinism, testing::ValuesIn(methods().begin(), methods().end()),
                         test::method_name);

}  // namespace
}  // namespace structhash
