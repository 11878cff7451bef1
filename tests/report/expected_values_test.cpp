#include "structhash/report/expected_values.hpp"

#include <gtest/gtest.h>

#include "structhash/core/error.hpp"
#include "support/temporary_folder.hpp"

namespace structhash::test {
namespace {

constexpr const char* kFile =
    R"({"source":"A paper","rows":[
        {"dataset":"mnist","table":"1","method":"itq","bits":64,"measures":{"ndcg@100":0.856}},
        {"dataset":"mnist","method":"structhash","functions":"kernel","distance":"hamming","bits":32,
         "measures":{"map":0.9}}]})";

ResultRow row_of(const std::string& method, const std::string& params, Index bits,
                 const std::string& distance) {
  ResultRow row;
  row.dataset = "mnist";
  row.method = method;
  row.params = params;
  row.bits = bits;
  row.distance = distance;
  return row;
}

std::string refusal(const TemporaryFolder& folder, const std::string& text) {
  write_bytes(folder.file("e.json"), text);
  try {
    load_expected(folder.file("e.json"));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::bad_data);
    return error.what();
  }
  return "accepted";
}

TEST(ExpectedValues, AreReadAndMatched) {
  const TemporaryFolder folder;
  write_bytes(folder.file("e.json"), kFile);
  const std::vector<ExpectedRow> rows = load_expected(folder.file("e.json"));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].source, "A paper");
  EXPECT_EQ(rows[0].table, "1");
  EXPECT_EQ(rows[0].measures.at("ndcg@100"), 0.856);
  EXPECT_TRUE(rows[0].matches(row_of("itq", "{}", 64, "hamming"), /*usual=*/true));
  EXPECT_FALSE(rows[0].matches(row_of("itq", "{}", 64, "product"), /*usual=*/false));
  EXPECT_FALSE(rows[0].matches(row_of("itq", "{}", 32, "hamming"), /*usual=*/true));
  const std::string kernel = R"({"functions":"kernel","train":5})";
  EXPECT_TRUE(rows[1].matches(row_of("structhash", kernel, 32, "hamming"), /*usual=*/false));
  EXPECT_FALSE(rows[1].matches(row_of("structhash", kernel, 32, "weighted"), /*usual=*/true));
  EXPECT_FALSE(rows[1].matches(row_of("structhash", "{}", 32, "hamming"), /*usual=*/false));
}

TEST(ExpectedValues, WrongFilesAreRefusedWithFileAndField) {
  const TemporaryFolder folder;
  const std::string path = folder.file("e.json");
  EXPECT_EQ(refusal(folder, "[1,"), path + ": is not valid JSON, or is nested too deep");
  EXPECT_EQ(refusal(folder, "{}"), path + ": \"source\" is missing");
  EXPECT_EQ(refusal(folder, R"({"source":"x","rows":[{"dataset":"a","method":"b","bits":"c"}]})"),
            path + ", entry 1 of \"rows\": \"bits\" must be a whole number, got \"c\"");
  EXPECT_EQ(refusal(folder, R"({"source":"x","rows":[7]})"),
            path + ", entry 1 of \"rows\": must be a JSON object, got 7");
  EXPECT_THROW(load_expected(folder.file("none.json")), Error);
}

}  // namespace
}  // namespace structhash::test
