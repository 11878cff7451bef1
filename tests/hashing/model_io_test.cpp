#include "structhash/hashing/model_io.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "support/damage.hpp"
#include "support/expect_error.hpp"
#include "support/forge.hpp"
#include "support/temporary_folder.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

HashModel sample_model() {
  return {.method = "sample",
          .parameters = R"({"bits":2,"rate":0.1,"seed":18446744073709551615})",
          .encoder = LinearEncoder{.directions = Matrix<float>{{1, -2, 3}, {0.5F, 0, -0.25F}},
                                   .offsets = Vector<float>{{1, -1}}},
          .bit_weights = {0.75F, 0.0F}};
}

std::string file_of(const HashModel& model) {
  const TemporaryFolder folder;
  save_model(model, folder.file("model"));
  return read_bytes(folder.file("model"));
}

void expect_refused(const std::string& bytes, const std::string& words) {
  const TemporaryFolder folder;
  write_bytes(folder.file("forged"), bytes);
  expect_error(Errc::corrupt_file, words, [&] { load_model(folder.file("forged")); });
}

std::string float_bytes(float value) {
  std::string bytes(sizeof(float), '\0');
  std::memcpy(bytes.data(), &value, sizeof(float));
  return bytes;
}

TEST(ModelIo, RoundTrip) {
  const TemporaryFolder folder;
  HashModel model = sample_model();
  save_model(model, folder.file("model"));
  EXPECT_EQ(load_model(folder.file("model")), model);
  const LoadedModel loaded = load_model_with_identity(folder.file("model"));
  EXPECT_EQ(loaded.model, model);
  EXPECT_EQ(loaded.identity, Container(folder.file("model")).identity());
  model.mean_magnitudes = {0.5F, 2.0F};
  save_model(model, folder.file("model"));
  EXPECT_EQ(load_model(folder.file("model")), model);
  model.bit_weights.clear();
  save_model(model, folder.file("model"));
  EXPECT_EQ(load_model(folder.file("model")), model);
}

TEST(ModelIo, OfSparseFeatures) {
  const TemporaryFolder folder;
  HashModel model = sample_model();
  model.mean_magnitudes = {0.5F, 2.0F};
  model.projection.directions = Matrix<float>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, -1, 0.5F}};
  save_model(model, folder.file("model"));
  const HashModel loaded = load_model(folder.file("model"));
  EXPECT_EQ(loaded, model);
  EXPECT_EQ(loaded.dimension(), 4);
  const Matrix<float> x{{0, 2, 0, 1}, {0, 0, 0, 0}, {1, 0, -3, 0}};
  const Matrix<float> projected = x * model.projection.directions;
  HashModel dense = model;
  dense.projection = {};
  EXPECT_EQ(encode(model, x, 1), encode(dense, projected, 1));
  EXPECT_EQ(encode(model, sparse_rows(x), 1), encode(model, x, 1));
  EXPECT_EQ(adaptive_values(model, x, 1), adaptive_values(dense, projected, 1));
  expect_error(Errc::usage, "cannot take sparse ones", [&] { encode(dense, sparse_rows(x), 1); });
  expect_error(Errc::bad_data, "features have 3 columns; this model expects 4",
               [&] { encode(model, projected, 1); });
  model.projection.directions.conservativeResize(4, 2);
  expect_error(Errc::usage, "give what its encoder takes", [&] { check(model); });
}

/// Items of three columns and linear functions, queries of two and kernel functions.
HashModel two_encoders() {
  HashModel model = sample_model();
  model.mean_magnitudes = {0.5F, 2.0F};
  model.query_encoder = KernelEncoder{.anchors = Matrix<float>{{1, 0}, {0, 1}, {1, 1}},
                                      .gamma = 0.5F,
                                      .directions = Matrix<float>{{1, -1, 0}, {0, 1, -1}},
                                      .offsets = Vector<float>{{0, 0.125F}}};
  return model;
}

TEST(ModelIo, OfTwoEncoders) {
  const TemporaryFolder folder;
  const HashModel model = two_encoders();
  save_model(model, folder.file("model"));
  EXPECT_EQ(load_model(folder.file("model")), model);
  const FileDescription file = describe_file(folder.file("model"));
  EXPECT_NE(file.header.find(R"("encoder":"linear+kernel")"), std::string::npos);
  EXPECT_NE(file.header.find(R"("query_dimension":2)"), std::string::npos);
  EXPECT_EQ(file.sections.back().section.name, "query-offsets");
  test::expect_every_damage_refused(file_of(model),
                                    [](const std::string& path) { load_model(path); });

  const Matrix<float> items{{3, 1, 0}, {0, 0, 1}};
  const Matrix<float> queries{{1, 0}, {0.25F, 2}, {-1, 3}};
  EXPECT_EQ(encode(model, items, 1), encode(sample_model(), items, 1));
  EXPECT_EQ(encode_queries(model, queries, 1), encode(*model.query_encoder, queries, 1));
  EXPECT_EQ(encode_queries(sample_model(), items, 1), encode(sample_model(), items, 1));
  const HashModel alone = query_model(model);
  EXPECT_EQ(alone.encoder, *model.query_encoder);
  EXPECT_FALSE(alone.query_encoder);
  EXPECT_EQ(adaptive_values(model, queries, 1), adaptive_values(alone, queries, 1));
  expect_error(Errc::bad_data, "this model expects 2", [&] { encode_queries(model, items, 1); });
  expect_error(Errc::bad_data, "query features: row 1, column 2", [&] {
    encode_queries(model, Matrix<float>{{0, std::numeric_limits<float>::infinity()}}, 1);
  });

  HashModel wrong = model;
  wrong.query_encoder = first_bits(*model.query_encoder, 1);
  expect_error(Errc::usage, "two linear or kernel encoders", [&] { check(wrong); });
  wrong.query_encoder = StumpEncoder{.inputs = 2, .columns = {0, 1}, .thresholds = {0, 0}};
  expect_error(Errc::usage, "two linear or kernel encoders", [&] { check(wrong); });
  wrong = model;
  wrong.projection.directions = Matrix<float>::Ones(4, 3);
  expect_error(Errc::usage, "no projection", [&] { check(wrong); });
}

TEST(ModelIo, LyingHeadersOfTwoEncodersAreRefused) {
  const std::string good = file_of(two_encoders());
  const std::string header =
      R"({"bit_order":"lsb-first","bits":2,"dimension":3,"distance":"weighted",)"
      R"("encoder":"linear+kernel","method":"sample","parameters":{},"query_dimension":2,)"
      R"("threshold":"value > 0"})";
  const auto with = [&](const std::string& before, const std::string& after) {
    std::string changed = header;
    changed.replace(changed.find(before), before.size(), after);
    return test::forge_header(good, changed);
  };
  expect_refused(with(R"("query_dimension":2)", R"("query_dimension":3)"), "query_dimension");
  expect_refused(with(R"("query_dimension":2,)", ""), "query_dimension");
  expect_refused(with("linear+kernel", "linear+quantum"), "encoder 'quantum'");
  expect_refused(with("linear+kernel", "linear+"), "encoder ''");
  expect_refused(with("linear+kernel", "linear+linear"), "query_dimension");
}

TEST(ModelIo, SameModelGivesSameBytes) {
  EXPECT_EQ(file_of(sample_model()), file_of(sample_model()));
}

TEST(ModelIo, HeaderDescribesTheModel) {
  const TemporaryFolder folder;
  save_model(sample_model(), folder.file("model"));
  EXPECT_EQ(describe_file(folder.file("model")).header,
            R"({"bit_order":"lsb-first","bits":2,"dimension":3,"distance":"weighted",)"
            R"("encoder":"linear","method":"sample",)"
            R"("parameters":{"bits":2,"rate":0.1,"seed":18446744073709551615},)"
            R"("threshold":"value > 0"})");
}

TEST(ModelIo, EveryDamageIsRefused) {
  test::expect_every_damage_refused(file_of(sample_model()),
                                    [](const std::string& path) { load_model(path); });
}

TEST(ModelIo, NumbersThatAreNotFiniteNeverGetIntoAModel) {
  const std::string good = file_of(sample_model());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float value : {nan, infinity, -infinity}) {
    expect_refused(test::forge_section(good, 0, 8, float_bytes(value)), "not finite");
    expect_refused(test::forge_section(good, 1, 4, float_bytes(value)), "not finite");
    expect_refused(test::forge_section(good, 2, 0, float_bytes(value)), "weights must be finite");
    HashModel model = sample_model();
    std::get<LinearEncoder>(model.encoder).directions(0, 0) = value;
    expect_error(Errc::usage, "not finite", [&] { file_of(model); });
  }
  expect_refused(test::forge_section(good, 2, 0, float_bytes(-1.0F)), "weights must be finite");
}

TEST(ModelIo, LyingHeadersAreRefused) {
  const std::string good = file_of(sample_model());
  const std::string header = R"({"bit_order":"lsb-first","bits":2,"dimension":3,)"
                             R"("distance":"weighted","encoder":"linear","method":"sample",)"
                             R"("parameters":{},"threshold":"value > 0"})";
  const auto with = [&](const std::string& before, const std::string& after) {
    std::string changed = header;
    changed.replace(changed.find(before), before.size(), after);
    return test::forge_header(good, changed);
  };
  for (const char* lie : {"0", "1", "3", "9223372036854775807"}) {
    expect_refused(with(R"("bits":2)", std::string(R"("bits":)") + lie), "sizes in its header");
  }
  expect_refused(with(R"("dimension":3)", R"("dimension":4)"), "sizes in its header");
  expect_refused(with(R"("encoder":"linear")", R"("encoder":"quantum")"),
                 "encoder 'quantum' that this program does not know");
  expect_refused(with("lsb-first", "msb-first"), R"(must be "lsb-first")");
  expect_refused(with("value > 0", "value >= 0"), R"(must be "value > 0")");
  expect_refused(with(R"("weighted")", R"("hamming")"), R"(must be "weighted")");
  expect_refused(with(R"("parameters":{})", R"("parameters":[])"), "must be an object");
  expect_refused(with(R"("method":"sample")", R"("method":"")"), "must be a name");
  expect_refused(with(R"("method":"sample")", R"("method":7)"), "must be a string");
  expect_refused(with(R"("method")", R"("m")"), R"("method" is missing)");
}

TEST(ModelIo, LyingSectionsAreRefused) {
  const std::string good = file_of(sample_model());
  const auto entry = [&](std::size_t number, const auto& change) {
    return test::forge_entry(good, number, change);
  };
  using layout::Entry;
  // 2 x 3 directions turned into 3 x 2: the bytes are right and the shape is not.
  expect_refused(entry(0,
                       [](Entry& e) {
                         e.rows = 3;
                         e.columns = 2;
                       }),
                 "sizes in its header");
  expect_refused(entry(0, [](Entry& e) { e.name = layout::padded<24>("other"); }),
                 "section 'directions' is missing");
  expect_refused(entry(1, [](Entry& e) { e.type = layout::padded<8>("i32"); }),
                 "holds i32 elements, not f32");
  expect_refused(entry(2, [](Entry& e) { e.name = layout::padded<24>("other"); }),
                 R"(must be "hamming")");
}

TEST(Model, CheckFindsEveryDefect) {
  const auto refused = [](const std::string& words, const auto& change) {
    HashModel model = sample_model();
    change(model);
    expect_error(Errc::usage, words, [&] { check(model); });
  };
  refused("must be a name", [](HashModel& m) { m.method = ""; });
  refused("must be a name", [](HashModel& m) { m.method = "No Name"; });
  refused("JSON object", [](HashModel& m) { m.parameters = "[]"; });
  refused("JSON object", [](HashModel& m) { m.parameters = "{\"a\":\"\xFF\"}"; });
  refused("has 1 bit weights", [](HashModel& m) { m.bit_weights = {1.0F}; });
  refused("has 1 mean magnitudes", [](HashModel& m) { m.mean_magnitudes = {1.0F}; });
  refused("weights must be finite", [](HashModel& m) { m.bit_weights = {1.0F, -1.0F}; });
  refused("needs directions", [](HashModel& m) { m.encoder = LinearEncoder{}; });
}

TEST(ModelIo, FailuresOfTheFileSystem) {
  const TemporaryFolder folder;
  const std::string absent = folder.file("absent/model");
  expect_error(Errc::io, absent, [&] { save_model(sample_model(), absent); });
  expect_error(Errc::io, absent, [&] { load_model(absent); });
}

}  // namespace
}  // namespace structhash
