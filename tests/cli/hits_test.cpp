// Readable answers, pipes, and indexes with ids.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"
#include "structhash/codes/code_io.hpp"
#include "structhash/data/loaders.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

class Hits : public testing::Test {
 protected:
  void SetUp() override {
    std::string ids;
    std::string labels;
    for (int row = 0; row < 80; ++row) {
      ids += "item-" + std::to_string(row) + "\n";
      labels += row % 2 == 0 ? "\"warm, red\"\n" : "blue\n";
    }
    write_bytes(ids_, ids);
    write_bytes(labels_, labels);
    const std::string x = read_bytes(data_.features);
    write_bytes(queries_, x.substr(0, x.find('\n', x.find('\n') + 1) + 1));  // two rows
    write_bytes(query_ids_, "first\nsecond\n");
    ASSERT_EQ(run({"encode", "--model", model_, "--features", data_.features, "--codes", codes_})
                  .exit_code,
              0);
  }

  Outcome search(const Words& more) const {
    Words words{"search", "--model", model_, "--queries", queries_, "--k", "3"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  Words named(const std::string& out) const {
    return {"--codes",  codes_,     "--ids", ids_,    "--query-ids",
            query_ids_, "--labels", labels_, "--out", out};
  }
  Outcome index(const Words& words) const {
    Words all{"index"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome;
  }

  const TemporaryFolder folder_;
  const TwoClusters data_{folder_};
  const std::string model_ = train_tiny_model(folder_, data_);
  const std::string codes_ = folder_.file("c.shc");
  const std::string ids_ = folder_.file("ids.txt");
  const std::string labels_ = folder_.file("labels.csv");
  const std::string queries_ = folder_.file("q.csv");
  const std::string query_ids_ = folder_.file("q.txt");
  const std::string index_ = folder_.file("items.shi");
};

TEST_F(Hits, TextFormats) {
  const std::string tsv = folder_.file("hits.tsv");
  const Outcome found = search(named(tsv));
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const auto lines = lines_of(read_bytes(tsv));
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "query\trank\tid\tdistance\tlabel");
  EXPECT_EQ(lines[1], "first\t1\titem-0\t0\twarm, red");
  EXPECT_EQ(lines[4].substr(0, 9), "second\t1\t");
  const std::string csv = folder_.file("hits.csv");
  ASSERT_EQ(search(named(csv)).exit_code, 0);
  EXPECT_EQ(lines_of(read_bytes(csv))[1], "first,1,item-0,0,\"warm, red\"");
  const std::string jsonl = folder_.file("hits.jsonl");
  ASSERT_EQ(search(named(jsonl)).exit_code, 0);
  const Json first = Json::parse(lines_of(read_bytes(jsonl))[0]);
  EXPECT_EQ(first, Json({{"query", "first"},
                         {"rank", 1},
                         {"id", "item-0"},
                         {"distance", 0.0},
                         {"label", "warm, red"}}));
}

TEST_F(Hits, StandardOutputHoldsTheHitsAlone) {
  const Outcome found = search({"--codes", codes_, "--out", "-"});
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const auto lines = lines_of(found.out);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "query\trank\tid\tdistance");
  EXPECT_EQ(lines[1], "0\t1\t0\t0");
  EXPECT_NE(found.err.find("2 queries"), std::string::npos) << found.err;
  EXPECT_EQ(search({"--codes", codes_, "--out", "-", "--json"}).exit_code, 2);
}

TEST_F(Hits, ArraysAreRecords) {
  const std::string npy = folder_.file("hits.npy");
  ASSERT_EQ(search({"--codes", codes_, "--out", npy}).exit_code, 0);
  const std::string bytes = read_bytes(npy);
  EXPECT_NE(bytes.find("'descr': [('query', '<i8'), ('rank', '<i8'), ('id', '<i8'), ('distance', "
                       "'<f4')], 'fortran_order': False, 'shape': (6,)"),
            std::string::npos);
  EXPECT_EQ(bytes.size(), 256U + 6U * 28U);
  const Outcome refused = search(named(npy));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find(".tsv"), std::string::npos) << refused.err;
}

TEST_F(Hits, MistakesAreNamed) {
  const auto expect = [&](const Words& words, int code, const std::string& part) {
    const Outcome outcome = search(words);
    EXPECT_EQ(outcome.exit_code, code);
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  expect({"--codes", codes_, "--out", folder_.file("hits.txt")}, 2, ".tsv, .csv, .jsonl");
  expect({}, 2, "either --codes or --index");
  expect({"--codes", codes_, "--label-column", "2"}, 2, "--labels");
  write_bytes(ids_, "a\nb\n");
  expect({"--codes", codes_, "--ids", ids_}, 3, "2 ids in --ids, but the largest id is 79");
}

TEST_F(Hits, NamesCountAsMemory) {
  const Words limited{"--codes", codes_, "--ids", ids_, "--memory-limit", "200MiB"};
  EXPECT_EQ(search(limited).exit_code, 0);
  std::string many;
  for (int row = 0; row < 3'000'000; ++row) {
    many += "some-id-" + std::to_string(row) + "\n";
  }
  write_bytes(ids_, many);
  const Outcome refused = search(limited);
  EXPECT_EQ(refused.exit_code, 5);
  EXPECT_NE(refused.err.find("--memory-limit allows 200.0 MiB"), std::string::npos) << refused.err;
}

TEST_F(Hits, TheFirstAnswersShowNamesAndLabels) {
  const Outcome found = search({"--codes", codes_, "--ids", ids_, "--labels", labels_});
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_NE(found.out.find("item-0 warm, red (0)"), std::string::npos) << found.out;
}

TEST_F(Hits, EncodeWritesArraysAndIds) {
  const std::string npy = folder_.file("codes.npy");
  ASSERT_EQ(
      run({"encode", "--model", model_, "--features", data_.features, "--codes", npy}).exit_code,
      0);
  const Matrix<float> bytes = load_features(std::vector{npy});
  const CodeMatrix codes = load_codes(codes_);
  ASSERT_EQ(bytes.rows(), 80);
  ASSERT_EQ(bytes.cols(), 2);  // 16 bits
  for (Index row = 0; row < 80; ++row) {
    EXPECT_EQ(bytes(row, 0) + 256.0F * bytes(row, 1), static_cast<float>(codes.row(row)[0]));
  }
  std::string table;
  for (const std::string& line : lines_of(read_bytes(queries_))) {
    table += "\"row " + std::to_string(table.size()) + "\"," + line + "\n";
  }
  write_bytes(folder_.file("t.csv"), table);
  ASSERT_EQ(run({"encode", "--model", model_, "--features", folder_.file("t.csv"), "--id-column",
                 "1", "--codes", npy, "--ids", folder_.file("out.txt")})
                .exit_code,
            0);
  EXPECT_EQ(lines_of(read_bytes(folder_.file("out.txt")))[0], "row 0");
}

TEST_F(Hits, FeaturesFromStandardInput) {
  const std::string out = folder_.file("out.tsv");
  const std::string command = std::string(command_path()) + " search --model " + model_ +
                              " --codes " + codes_ + " --k 3 --out " + out + " --queries -";
  EXPECT_EQ(std::system((command + " --format csv < " + queries_ + " 2>/dev/null").c_str()), 0);
  const std::string piped = read_bytes(out);
  ASSERT_EQ(search({"--codes", codes_, "--out", out}).exit_code, 0);
  EXPECT_EQ(piped, read_bytes(out));
  const std::string err = folder_.file("err.txt");
  EXPECT_NE(std::system((command + " < " + queries_ + " 2> " + err).c_str()), 0);
  EXPECT_NE(read_bytes(err).find("cannot determine the format of standard input"),
            std::string::npos)
      << read_bytes(err);
}

TEST_F(Hits, IndexFromFeaturesIsSearchedAsTheCodes) {
  const std::string by_codes = folder_.file("a.tsv");
  const std::string by_index = folder_.file("b.tsv");
  ASSERT_EQ(search({"--codes", codes_, "--out", by_codes}).exit_code, 0);
  for (const Words& source :
       {Words{"--model", model_, "--features", data_.features}, Words{"--codes", codes_}}) {
    Words words{"build", "--out", index_, "--tables"};
    words.insert(words.end(), source.begin(), source.end());
    const Outcome built = index(words);
    EXPECT_NE(built.out.find("80 codes of 16 bits"), std::string::npos) << built.out;
    ASSERT_EQ(search({"--index", index_, "--out", by_index}).exit_code, 0);
    EXPECT_EQ(read_bytes(by_codes), read_bytes(by_index));
  }
}

TEST_F(Hits, AddRemoveMergeInfo) {
  const std::string numbers = folder_.file("numbers.txt");
  write_bytes(numbers, "1000\n2000\n");
  index({"build", "--model", model_, "--features", queries_, "--ids", numbers, "--out", index_});
  write_bytes(numbers, "5\n7\n");
  index({"add", "--index", index_, "--model", model_, "--features", queries_, "--ids", numbers});
  const auto info = [&](const std::string& path) {
    return Json::parse(index({"info", path, "--json"}).out);
  };
  EXPECT_EQ(info(index_)["codes"], 4);
  EXPECT_EQ(info(index_)["first_id"], 5);
  EXPECT_EQ(info(index_)["last_id"], 2000);
  std::string table;
  for (const std::string& line : lines_of(read_bytes(queries_))) {
    table += std::to_string(300 + table.size()) + "," + line + "\n";
  }
  write_bytes(folder_.file("t.csv"), table);
  const std::string by_column = folder_.file("by_column.shi");
  index({"build", "--model", model_, "--features", folder_.file("t.csv"), "--id-column", "1",
         "--out", by_column});
  EXPECT_EQ(info(by_column)["first_id"], 300);
  const std::string smaller = folder_.file("smaller.shi");
  write_bytes(numbers, "5\n2000\n");
  index({"remove", "--index", index_, "--ids", numbers, "--out", smaller});
  EXPECT_EQ(info(index_)["codes"], 4);  // as it was
  EXPECT_EQ(info(smaller)["codes"], 2);
  const std::string other = folder_.file("other.shi");
  const std::string all = folder_.file("all.shi");
  write_bytes(numbers, "1\n2\n");
  index({"build", "--model", model_, "--features", queries_, "--ids", numbers, "--out", other});
  index({"merge", "--index", smaller, other, "--out", all});
  EXPECT_EQ(info(all)["codes"], 4);
  EXPECT_NE(index({"info", all}).out.find("ids 1 to 1000"), std::string::npos);
}

TEST_F(Hits, IndexMistakesAreNamedAndChangeNothing) {
  index({"build", "--codes", codes_, "--out", index_});
  const std::string before = read_bytes(index_);
  const auto expect = [&](Words words, int code, const std::string& part) {
    words.insert(words.begin(), "index");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(read_bytes(index_), before);
  };
  expect({"build", "--out", folder_.file("x.shi")}, 2, "--features with --model");
  expect({"build", "--codes", codes_, "--ids", ids_, "--out", folder_.file("x.shi")}, 3,
         "'item-0'; an index has whole numbers");
  expect({"build", "--codes", codes_, "--out", codes_}, 2, "overwrite");
  write_bytes(ids_, "0\n1\n");
  expect({"add", "--index", index_, "--model", model_, "--features", queries_, "--ids", ids_}, 2,
         "0");
  write_bytes(ids_, "99\n");
  expect({"add", "--index", index_, "--model", model_, "--features", queries_, "--ids", ids_}, 2,
         "1 ids for 2 codes");
  expect({"remove", "--index", index_, "--ids", ids_}, 2, "99");
  expect({"merge", "--index", index_, "--out", folder_.file("x.shi")}, 2, "two indexes");
  expect({}, 2, "build, add, remove, merge, info");
}

}  // namespace
}  // namespace structhash::test
