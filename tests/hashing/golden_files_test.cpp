#include <gtest/gtest.h>

#include "structhash/codes/code_io.hpp"
#include "structhash/hashing/model_io.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

/// The files of tests/golden/format-1.0 must stay readable in every later version
/// (tests/golden/README.md).
namespace structhash {
namespace {

std::string golden(const std::string& name) {
  return test::in_repository("tests/golden/format-1.0/" + name);
}

HashModel golden_model() {
  return {.method = "golden",
          .parameters = R"({"bits":3,"seed":1})",
          .encoder = LinearEncoder{.directions = Matrix<float>{{1, -1}, {0.5F, 2}, {-0.25F, 0}},
                                   .offsets = Vector<float>{{0, -1, 0.125F}}},
          .bit_weights = {1.0F, 0.5F, 0.0F}};
}

HashModel golden_two_encoders() {
  return {.method = "golden",
          .parameters = R"({"bits":2})",
          .encoder = LinearEncoder{.directions = Matrix<float>{{1, -1}, {0.5F, 2}},
                                   .offsets = Vector<float>{{0, -1}}},
          .query_encoder = KernelEncoder{.anchors = Matrix<float>{{1, 0, 0}},
                                         .gamma = 0.5F,
                                         .directions = Matrix<float>{{1}, {-1}},
                                         .offsets = Vector<float>{{-0.75F, 0.75F}}}};
}

CodeMatrix golden_codes() {
  CodeMatrix codes(2, 24);
  for (const Index bit : {0, 3, 9, 23}) {  // row 0: the vector that every export is tested with
    codes.set(0, bit, true);
  }
  codes.set(1, 1, true);
  return codes;
}

TEST(GoldenFiles, Model) {
  const HashModel model = load_model(golden("model.shm"));
  EXPECT_EQ(model, golden_model());
  // (3, 1): 2 > 0; 2.5 > 0; -0.625.   (0, 0): 0; -1; 0.125 > 0.
  const CodeMatrix codes = encode(model, Matrix<float>{{3, 1}, {0, 0}}, 1);
  EXPECT_EQ(codes.words()[0], 0b011U);
  EXPECT_EQ(codes.words()[1], 0b100U);
}

TEST(GoldenFiles, ModelOfTwoEncoders) {
  const HashModel model = load_model(golden("two-encoders.shm"));
  EXPECT_EQ(model, golden_two_encoders());
  // At the anchor the response is 1; at distance 1 it is exp(-.5) = .61, less than .75.
  const CodeMatrix codes = encode_queries(model, Matrix<float>{{1, 0, 0}, {1, 1, 0}}, 1);
  EXPECT_EQ(codes.words()[0], 0b01U);
  EXPECT_EQ(codes.words()[1], 0b10U);
}

TEST(GoldenFiles, Codes) {
  EXPECT_EQ(load_codes(golden("codes.shc")), golden_codes());
  EXPECT_EQ(MappedCodes(golden("codes.shc")).model(), Container(golden("model.shm")).identity());
}

TEST(GoldenFiles, ThisVersionStillWritesThem) {
  const test::TemporaryFolder folder;
  save_model(golden_model(), folder.file("model"));
  EXPECT_EQ(test::read_bytes(folder.file("model")), test::read_bytes(golden("model.shm")));
  save_model(golden_two_encoders(), folder.file("two"));
  EXPECT_EQ(test::read_bytes(folder.file("two")), test::read_bytes(golden("two-encoders.shm")));
  save_codes(golden_codes(), folder.file("codes"), Container(golden("model.shm")).identity());
  EXPECT_EQ(test::read_bytes(folder.file("codes")), test::read_bytes(golden("codes.shc")));
}

}  // namespace
}  // namespace structhash
