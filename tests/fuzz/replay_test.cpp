#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

/// Every input of the corpus once more, and every seed cut at some lengths: what failed once stays
/// mended, in every build.
namespace structhash::fuzz {
namespace {

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, IsReadWithoutAFinding) {
  const std::filesystem::path folder =
      test::in_repository("tests/fuzz/corpus/" + std::string(GetParam().name));
  int inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    const std::string text = test::read_bytes(entry.path().string());
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    GetParam().run(bytes);
    for (const std::size_t part : {2U, 3U, 5U}) {
      GetParam().run(Bytes(bytes).first(bytes.size() / part));
    }
    ++inputs;
  }
  EXPECT_GE(inputs, 2) << "run scripts/make_fuzz_corpus.py";
  GetParam().run({});
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Corpus, testing::ValuesIn(kTargets),
                         [](const auto& instance) {
                           std::string name(instance.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace structhash::fuzz
