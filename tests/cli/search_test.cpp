// `search` and `convert`, as a user runs them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"
#include "structhash/codes/code_io.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/hashing/model_io.hpp"
#include "structhash/search/code_index.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;

/// The elements of a .npy file whose head is 128 bytes, and the text of its head.
template <typename T>
std::pair<std::string, std::vector<T>> read_npy(const std::string& path) {
  const std::string bytes = read_bytes(path);
  std::vector<T> values((bytes.size() - 128) / sizeof(T));
  std::memcpy(values.data(), bytes.data() + 128, values.size() * sizeof(T));
  return {bytes.substr(10, 118), values};
}

class Search : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const TwoClusters data_{folder_};
  const std::string model_ = train_tiny_model(folder_, data_);
  const std::string codes_ = folder_.file("c.shc");

  Search() {
    const Outcome encoded =
        run({"encode", "--model", model_, "--features", data_.features, "--codes", codes_});
    EXPECT_EQ(encoded.exit_code, 0) << encoded.err;
  }

  Outcome search(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"search", "--model",   model_,        "--codes",
                                       codes_,   "--queries", data_.features};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  /// All rows in order of distance to the code of a row, then of number.
  std::vector<std::pair<float, std::int64_t>> ranking(Index query) const {
    const CodeMatrix codes = load_codes(codes_);
    std::vector<std::pair<float, std::int64_t>> all;
    for (Index row = 0; row < codes.rows(); ++row) {
      all.emplace_back(static_cast<float>(hamming(codes.row(query), codes.row(row))), row);
    }
    std::ranges::sort(all);
    return all;
  }
};

TEST_F(Search, AsymmetricDistanceUsesTheValuesOfTheQuery) {
  const Outcome found = search({"--distance", "asymmetric", "--k", "3", "--json"});
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const Json json = Json::parse(found.out);
  EXPECT_EQ(json["distance"], "asymmetric");
  // A row's own code agrees with all its values: nothing is nearer.
  EXPECT_EQ(json["first"][0]["distances"][0], 0.0);
  EXPECT_EQ(search({"--distance", "asymmetric", "--radius", "1"}).exit_code, 2);
  const Outcome walked =
      search({"--distance", "asymmetric", "--engine", "multi-index", "--k", "3", "--json"});
  ASSERT_EQ(walked.exit_code, 0) << walked.err;
  EXPECT_EQ(Json::parse(walked.out)["first"], json["first"]);
  EXPECT_EQ(search({"--distance", "cosine"}).exit_code, 2);
}

/// Models of structhash have it, and search and evaluate use it without being told.
TEST_F(Search, AdaptiveDistanceIsTheDefaultOfStructHash) {
  for (const std::string functions : {"linear", "kernel"}) {
    const std::string model = folder_.file("s.shm");
    const std::string codes = folder_.file("s.shc");
    ASSERT_EQ(run({"train", "--features", data_.features, "--labels", data_.labels, "--bits", "12",
                   "--functions", functions, "--model", model})
                  .exit_code,
              0);
    ASSERT_EQ(
        run({"encode", "--model", model, "--features", data_.features, "--codes", codes}).exit_code,
        0);
    const auto search_with = [&](const std::vector<std::string>& more) {
      std::vector<std::string> arguments{"search", "--model",   model,          "--codes",
                                         codes,    "--queries", data_.features, "--json"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      const Outcome found = run(arguments);
      EXPECT_EQ(found.exit_code, 0) << found.err;
      return Json::parse(found.out);
    };
    const Json found = search_with({"--k", "9"});
    EXPECT_EQ(found["distance"], "adaptive");
    const HashModel loaded = load_model(model);
    const Matrix<float> x = load_features(std::vector{data_.features});
    const Matrix<float> values = adaptive_values(loaded, x, 1);
    const CodeMatrix stored = load_codes(codes);
    for (Index query = 0; query < 5; ++query) {
      std::vector<std::pair<float, std::int64_t>> all;
      for (Index row = 0; row < stored.rows(); ++row) {
        float sum = 0.0F;
        for (Index bit = 0; bit < 12; ++bit) {
          const float value = values(query, bit);
          sum += (value > 0.0F) != stored.bit(row, bit) ? std::abs(value) : 0.0F;
        }
        all.emplace_back(sum, row);
      }
      std::ranges::sort(all);
      const Json& first = found["first"][static_cast<std::size_t>(query)];
      for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_NEAR(first["distances"][i].get<float>(), all[i].first, 1e-5);
      }
    }
    EXPECT_EQ(search_with({"--k", "9", "--engine", "multi-index"})["first"], found["first"]);
    EXPECT_EQ(search_with({"--radius", "1"})["distance"], "weighted");
    EXPECT_EQ(search_with({"--distance", "hamming"})["distance"], "hamming");
    for (const std::string distance : {"", "adaptive", "weighted", "hamming"}) {
      std::vector<std::string> arguments{"evaluate",     "--model",  model,        "--features",
                                         data_.features, "--labels", data_.labels, "--queries",
                                         "20",           "--json"};
      if (!distance.empty()) {
        arguments.insert(arguments.end(), {"--distance", distance});
      }
      const Outcome evaluated = run(arguments);
      ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
      EXPECT_EQ(Json::parse(evaluated.out)["distance"], distance.empty() ? "adaptive" : distance);
    }
  }
}

TEST_F(Search, ModelsWithoutTheAdaptiveDistanceAreNamed) {
  EXPECT_EQ(search({"--distance", "adaptive", "--radius", "1"}).exit_code, 2);
  const Outcome found = search({"--distance", "adaptive"});  // a model of lsh
  EXPECT_EQ(found.exit_code, 2);
  EXPECT_NE(found.err.find("model of lsh does not hold the mean magnitudes"), std::string::npos)
      << found.err;
  HashModel stump = load_model(model_);
  stump.encoder = StumpEncoder{.inputs = 8, .columns = {1}, .thresholds = {0.0F}};
  save_model(stump, folder_.file("stump.shm"));
  const Outcome evaluated =
      run({"evaluate", "--model", folder_.file("stump.shm"), "--features", data_.features,
           "--labels", data_.labels, "--queries", "20", "--distance", "adaptive"});
  EXPECT_EQ(evaluated.exit_code, 2);
  EXPECT_NE(evaluated.err.find("functions of kind stump"), std::string::npos) << evaluated.err;
}

TEST_F(Search, WritesTheNearestRowsOfEveryQuery) {
  for (const std::string engine : {"auto", "scan", "multi-index"}) {
    const Outcome outcome = search({"--k", "7", "--engine", engine, "--neighbours",
                                    folder_.file("n.npy"), "--distances", folder_.file("d.npy")});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("searching"), std::string::npos) << outcome.err;
    const auto [head, ids] = read_npy<std::int64_t>(folder_.file("n.npy"));
    const auto [head_d, distances] = read_npy<float>(folder_.file("d.npy"));
    EXPECT_NE(head.find("'<i8', 'fortran_order': False, 'shape': (80, 7)"), std::string::npos);
    EXPECT_NE(head_d.find("'<f4', 'fortran_order': False, 'shape': (80, 7)"), std::string::npos);
    ASSERT_EQ(ids.size(), 560U);
    for (std::size_t query = 0; query < 80; ++query) {
      const auto expected = ranking(static_cast<Index>(query));
      for (std::size_t i = 0; i < 7; ++i) {
        ASSERT_EQ(ids[7 * query + i], expected[i].second);
        ASSERT_EQ(distances[7 * query + i], expected[i].first);
      }
    }
  }
}

TEST_F(Search, RadiusGivesPairs) {
  ASSERT_EQ(search({"--radius", "1", "--neighbours", folder_.file("n.npy")}).exit_code, 0);
  std::vector<std::int64_t> expected;
  for (Index query = 0; query < 80; ++query) {
    for (const auto& [distance, row] : ranking(query)) {
      if (distance <= 1.0F) {
        expected.push_back(query);
        expected.push_back(row);
      }
    }
  }
  const auto [head, pairs] = read_npy<std::int64_t>(folder_.file("n.npy"));
  EXPECT_EQ(pairs, expected);
  EXPECT_NE(head.find(std::to_string(expected.size() / 2) + ", 2)"), std::string::npos);
}

TEST_F(Search, TextAndJsonShowTheFirstQueries) {
  const Outcome text = search({"--k", "3"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("80 queries, 80 codes of 16 bits, Hamming distance, k 3: 240 found"),
            std::string::npos)
      << text.out;
  const auto nearest = ranking(0).front();
  EXPECT_NE(text.out.find("   " + std::to_string(nearest.second) + " (0)"), std::string::npos)
      << text.out;
  const Json json = Json::parse(search({"--k", "3", "--json"}).out);
  EXPECT_EQ(json["engine"], "scan");
  EXPECT_EQ(json["found"], 240);
  EXPECT_EQ(json["first"][0]["neighbours"][0], nearest.second);
  EXPECT_EQ(json["first"].size(), 5U);
}

TEST_F(Search, AsksForMoreThanThereIs) {
  ASSERT_EQ(search({"--k", "1000", "--neighbours", folder_.file("n.npy")}).exit_code, 0);
  EXPECT_NE(read_npy<std::int64_t>(folder_.file("n.npy")).first.find("(80, 80)"),
            std::string::npos);
}

TEST_F(Search, IndexFilesAreSearchedToo) {
  CodeIndex index = CodeIndex::of_code_file(codes_);
  index.prepare();
  index.save(folder_.file("i.shi"));
  const Outcome outcome =
      run({"search", "--model", model_, "--codes", folder_.file("i.shi"), "--queries",
           data_.features, "--k", "3", "--engine", "multi-index", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["engine"], "multi-index");
  EXPECT_EQ(Json::parse(outcome.out)["first"][0]["neighbours"][0], ranking(0).front().second);
  EXPECT_EQ(run({"inspect", folder_.file("i.shi")}).exit_code, 0);
}

TEST_F(Search, ADeviceThatIsNotThere) {
  setenv("STRUCTHASH_CUDA_DRIVER", "libnosuchdriver.so", 1);
  const Outcome missing = search({"--device", "cuda"});
  unsetenv("STRUCTHASH_CUDA_DRIVER");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("needs NVIDIA's driver"), std::string::npos) << missing.err;
  const Outcome unknown = search({"--device", "gpu"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("devices are cpu, cuda"), std::string::npos) << unknown.err;
  EXPECT_EQ(search({"--device", "cpu", "--k", "3"}).exit_code, 0);
}

TEST_F(Search, WrongArgumentsAndFiles) {
  const auto expect = [](const Outcome& outcome, int code, const std::string& words) {
    EXPECT_EQ(outcome.exit_code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  };
  expect(search({"--k", "0"}), 2, "--k");
  expect(search({"--radius", "-1"}), 2, "--radius: '-1' is not a number of 0 or more");
  expect(search({"--radius", "1x"}), 2, "'1x'");
  expect(search({"--engine", "scam"}), 2, "did you mean 'scan'?");
  expect(search({"--distance", "weighted"}), 2, "no bit weights");
  expect(search({"--neighbours", folder_.file("x"), "--distances", folder_.file("x")}), 2,
         "name the same file");
  expect(run({"search", "--model", model_}), 2, "--queries is required");
  const auto with_codes = [&](const std::string& codes) {
    return run({"search", "--model", model_, "--codes", codes, "--queries", data_.features});
  };
  expect(with_codes(folder_.file("none.shc")), 5, "none.shc");
  expect(with_codes(model_), 4, "kind 'model', not 'codes'");
  save_codes(load_codes(codes_), folder_.file("other.shc"), "0123456789abcdef");
  expect(with_codes(folder_.file("other.shc")), 3, "made by model 0123456789abcdef");
  save_codes(CodeMatrix(3, 24), folder_.file("short.shc"));
  expect(with_codes(folder_.file("short.shc")), 3, "24 bits");
  std::string bytes = read_bytes(codes_);
  bytes[70] ^= 1;
  write_bytes(folder_.file("damaged.shc"), bytes);
  expect(with_codes(folder_.file("damaged.shc")), 4, "damaged.shc");
  const Outcome unwritable = search({"--neighbours", folder_.file("no/folder/n.npy")});
  expect(unwritable, 5, "no/folder/n.npy");
}

/// The 24-bit code with bits 0, 3, 9 and 23, which every neighbour's form is known for.
class Convert : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string codes_ = folder_.file("golden.shc");

  Convert() {
    CodeMatrix codes(1, 24);
    for (const Index bit : {0, 3, 9, 23}) {
      codes.set(0, bit, true);
    }
    save_codes(codes, codes_);
  }

  std::string converted(const std::string& form, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"convert", "--codes",          codes_, "--to", form,
                                       "--out",   folder_.file("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return read_bytes(folder_.file("out"));
  }
};

TEST_F(Convert, GoldenVectorInEveryForm) {
  const std::string little("\x09\x02\x80", 3);
  const std::string big("\x90\x40\x01", 3);
  EXPECT_EQ(converted("faiss").substr(128), little);
  EXPECT_EQ(converted("npy").substr(128), little);
  EXPECT_EQ(converted("npy", {"--bitorder", "big"}).substr(128), big);
  EXPECT_NE(converted("npy").find("'|u1', 'fortran_order': False, 'shape': (1, 3)"),
            std::string::npos);
  EXPECT_EQ(converted("ubinary").substr(128), big);
  EXPECT_EQ(converted("binary").substr(128), std::string("\x10\xC0\x81", 3));  // 16, -64, -127
  EXPECT_NE(converted("binary").find("'|i1'"), std::string::npos);
  EXPECT_EQ(converted("hex"), "090280\n");
  EXPECT_EQ(converted("hex", {"--bitorder", "big"}), "904001\n");
  EXPECT_EQ(converted("pgvector"), "100100000100000000000001\n");
  EXPECT_EQ(converted("uint64").substr(128), std::string("\x09\x02\x80\0\0\0\0\0", 8));  // 8389129
  EXPECT_NE(converted("uint64").find("'<u8'"), std::string::npos);
}

TEST_F(Convert, RefusesWhatOtherSystemsCannotTake) {
  save_codes(CodeMatrix(2, 21), folder_.file("odd.shc"));
  const auto convert = [&](const std::string& codes, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"convert", "--codes", codes, "--out", folder_.file("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  for (const char* form : {"faiss", "ubinary", "binary"}) {
    const Outcome outcome = convert(folder_.file("odd.shc"), {"--to", form});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("multiples of 8"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(convert(folder_.file("odd.shc"), {"--to", "npy"}).exit_code, 0);
  EXPECT_NE(convert(codes_, {"--to", "fais"}).err.find("did you mean 'faiss'?"), std::string::npos);
  EXPECT_EQ(convert(codes_, {}).exit_code, 2);
  EXPECT_EQ(convert(codes_, {"--to", "ubinary", "--bitorder", "little"}).exit_code, 2);
  EXPECT_EQ(convert(folder_.file("none"), {"--to", "hex"}).exit_code, 5);
  std::string bytes = read_bytes(codes_);
  bytes[64] ^= 1;
  write_bytes(folder_.file("damaged.shc"), bytes);
  std::filesystem::remove(folder_.file("out"));
  EXPECT_EQ(convert(folder_.file("damaged.shc"), {"--to", "hex"}).exit_code, 4);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
}

TEST_F(Convert, ManyBlocksGiveOneFile) {
  CodeMatrix codes(150'000, 8);
  for (Index row = 0; row < codes.rows(); ++row) {
    codes.mutable_words()[static_cast<std::size_t>(row)] = static_cast<std::uint64_t>(row % 251);
  }
  save_codes(codes, folder_.file("many.shc"));
  const Outcome outcome = run({"convert", "--codes", folder_.file("many.shc"), "--to", "npy",
                               "--out", folder_.file("out"), "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["rows"], 150'000);
  const std::string bytes = read_bytes(folder_.file("out"));
  ASSERT_EQ(bytes.size(), 128U + 150'000U);
  EXPECT_NE(bytes.find("(150000, 1)"), std::string::npos);
  for (std::size_t row = 0; row < 150'000; ++row) {
    ASSERT_EQ(static_cast<unsigned char>(bytes[128 + row]), row % 251);
  }
}

}  // namespace
}  // namespace structhash::test
