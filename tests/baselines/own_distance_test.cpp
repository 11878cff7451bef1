#include "baselines/own_distance.hpp"

#include <gtest/gtest.h>

#include <array>

#include "baselines/lsh.hpp"
#include "baselines/mdsh.hpp"
#include "baselines/product_similarity.hpp"
#include "baselines/spher.hpp"
#include "support/expect_error.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;

TEST(OwnDistance, SphericalHamming) {
  const std::array<std::uint64_t, 1> a{0b0111};
  const std::array<std::uint64_t, 1> b{0b1110};  // two differ, two are in both
  const std::array<std::uint64_t, 1> none{0};
  EXPECT_DOUBLE_EQ(spherical_hamming(a, b), 2.0 / 2.1);
  EXPECT_DOUBLE_EQ(spherical_hamming(a, none), 30.0);
  EXPECT_DOUBLE_EQ(spherical_hamming(a, a), 0.0);
}

/// Component 0 has bits 0 and 1, component 1 has bit 2, and bit 3 is a second cut of component 1.
TEST(OwnDistance, ProductSimilarity) {
  const std::array bits{ProductSimilarity::Bit{0, 0, 1.0}, ProductSimilarity::Bit{0, 0, 0.5},
                        ProductSimilarity::Bit{0, 1, 0.25}, ProductSimilarity::Bit{1, 1, 0.25}};
  const ProductSimilarity similarity(bits);
  const std::array<std::uint64_t, 1> a{0b0000};
  const std::array<std::uint64_t, 1> b{0b0010};
  const std::array<std::uint64_t, 1> c{0b1101};
  EXPECT_DOUBLE_EQ(similarity(a, a), (2.5 * 1.25 - 1.0) + 0.25);
  EXPECT_DOUBLE_EQ(similarity(a, b), (1.5 * 1.25 - 1.0) + 0.25);
  EXPECT_DOUBLE_EQ(similarity(a, c), (0.5 * 0.75 - 1.0) - 0.25);
}

/// Components of one to eight bits over three levels, scattered over a code of two words.
TEST(OwnDistance, ProductsByTablesAreThoseBitByBit) {
  Rng rng(Seed{3});
  std::vector<ProductSimilarity::Bit> bits;
  for (int b = 0; b < 100; ++b) {
    bits.push_back({b % 3, static_cast<int>(rng.below(12)), 0.5 * rng.uniform()});
  }
  const ProductSimilarity similarity(bits);
  ASSERT_TRUE(similarity.packable());
  CodeMatrix codes(40, 100);
  for (Index row = 0; row < codes.rows(); ++row) {
    for (Index bit = 0; bit < codes.bits(); ++bit) {
      codes.set(row, bit, rng.below(2) == 1);
    }
  }
  const std::vector<std::uint8_t> packed = similarity.pack(codes);
  const auto width = static_cast<std::size_t>(similarity.bytes());
  const auto part = [&](Index row) {
    return std::span(packed).subspan(static_cast<std::size_t>(row) * width, width);
  };
  for (Index a = 0; a < codes.rows(); ++a) {
    for (Index b = 0; b < codes.rows(); ++b) {
      const double direct = similarity(codes.row(a), codes.row(b));
      EXPECT_NEAR(similarity.packed(part(a), part(b)), direct, 1e-12 * (1.0 + std::abs(direct)));
    }
  }
  const std::vector<ProductSimilarity::Bit> wide(9, {0, 0, 0.1});
  EXPECT_FALSE(ProductSimilarity(wide).packable());
}

TEST(OwnDistance, IsThatOfTheMethod) {
  const TrainingSet data = test::gaussian_clusters(Seed{1});
  EXPECT_FALSE(own_distance(fit_lsh(data, {}, {})).has_value());
  for (HashModel model : {fit_spher(data, {.bits = 20}, {}), fit_mdsh(data, {.bits = 20}, {})}) {
    const auto own = own_distance(model);
    ASSERT_TRUE(own.has_value());
    EXPECT_EQ(own->name, model.method == "spher" ? "spherical" : "product");
    const CodeMatrix codes = encode(model, data.x, 1);
    std::vector<double> distances(static_cast<std::size_t>(codes.rows()));
    own->between(codes, codes)(0, distances);
    for (const double distance : distances) {  // no code is nearer than the query's own
      EXPECT_GE(distance, distances[0]);
    }
  }
  HashModel broken = fit_mdsh(data, {.bits = 20}, {});
  broken.parameters = "{}";
  expect_error(Errc::bad_data, "one weight and one level per bit", [&] { own_distance(broken); });
}

}  // namespace
}  // namespace structhash
