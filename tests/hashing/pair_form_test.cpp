#include "hashing/pair_form.hpp"

#include <gtest/gtest.h>

#include <array>

#include "hashing/simd/sparse_dot.hpp"
#include "support/expect_error.hpp"
#include "support/random_forms.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::Pairs;

std::vector<float> random_vector(std::size_t size, Seed seed) {
  Rng rng(seed);
  std::vector<float> values(size);
  for (float& value : values) {
    value = static_cast<float>(rng.normal());
  }
  return values;
}

/// M = (A + A') / 2 as a dense matrix, pair by pair.
Matrix<double> dense(const Pairs& pairs, Index rows) {
  Matrix<double> a = Matrix<double>::Zero(rows, rows);
  for (std::size_t i = 0; i < pairs.left.size(); ++i) {
    a(pairs.left[i], pairs.right[i]) += static_cast<double>(pairs.weights[i]);
  }
  return 0.5 * (a + a.transpose());
}

TEST(PairForm, HandWorkedExample) {
  // Pairs (0, 1) of weight 2 and (1, 2) of weight -4:  F(s) = s0 s1 - 2 s1 s2.
  const Pairs pairs{.left = {0, 1}, .right = {1, 2}, .weights = {2.0F, -4.0F}};
  const PairForm form = pairs.form(3);
  EXPECT_DOUBLE_EQ(form.value(std::array{1.0F, 1.0F, -1.0F}, 1), 3.0);
  EXPECT_DOUBLE_EQ(form.value(std::array{1.0F, -1.0F, -1.0F}, 1), -3.0);
  EXPECT_DOUBLE_EQ(form.value(std::array{0.5F, 0.5F, 0.0F}, 1), 0.25);
}

TEST(PairForm, EqualsTheDenseForm) {
  for (const auto& [rows, count] : {std::pair{2, 1}, {5, 40}, {70, 900}, {600, 3'000}}) {
    SCOPED_TRACE(rows);
    const Pairs pairs = test::random_pairs(rows, count, Seed{1}, /*with_itself=*/true);
    const PairForm form = pairs.form(rows);
    EXPECT_EQ(form.rows(), rows);
    const auto s = random_vector(static_cast<std::size_t>(rows), Seed{2});
    std::vector<float> product(s.size());
    form.multiply(s, product, 1);
    const Vector<double> x = Eigen::Map<const Vector<float>>(s.data(), rows).cast<double>();
    const Vector<double> expected = dense(pairs, rows) * x;
    for (Index row = 0; row < rows; ++row) {
      EXPECT_NEAR(product[static_cast<std::size_t>(row)], expected(row), 1e-4);
      EXPECT_EQ(form.columns(row).size(), form.entries(row).size());
    }
    EXPECT_NEAR(form.value(s, 1), 0.5 * x.dot(expected), 1e-3);
    EXPECT_NEAR(form.value(s, 1), test::naive_value(pairs, s), 1e-3);
  }
}

/// A.8: flipping one sign changes F by -2 s_p (M s)_p.
TEST(PairForm, FlipRule) {
  const Pairs pairs = test::random_pairs(30, 200, Seed{3});
  const PairForm form = pairs.form(30);
  std::vector<float> s(30);
  Rng rng(Seed{4});
  for (float& sign : s) {
    sign = rng.below(2) == 1 ? 1.0F : -1.0F;
  }
  std::vector<float> product(s.size());
  form.multiply(s, product, 1);
  const double before = form.value(s, 1);
  for (std::size_t p = 0; p < s.size(); ++p) {
    std::vector<float> flipped = s;
    flipped[p] = -flipped[p];
    EXPECT_DOUBLE_EQ(form.value(flipped, 1),
                     before - 2.0 * static_cast<double>(s[p]) * static_cast<double>(product[p]));
  }
}

TEST(PairForm, WeightsCanBeSetAgain) {
  Pairs pairs = test::random_pairs(40, 300, Seed{5});
  PairForm form = pairs.form(40);
  const auto s = random_vector(40, Seed{6});
  std::ranges::reverse(pairs.weights);
  form.set_weights(pairs.weights, 2);
  EXPECT_NEAR(form.value(s, 1), test::naive_value(pairs, s), 1e-3);
}

TEST(PairForm, ThreadsChangeNothing) {
  const Index rows = 3'000;
  const PairForm form = test::random_pairs(rows, 100'000, Seed{7}).form(rows);
  const auto s = random_vector(static_cast<std::size_t>(rows), Seed{8});
  std::vector<float> one(s.size());
  form.multiply(s, one, 1);
  for (const int threads : {2, 4}) {
    std::vector<float> many(s.size());
    form.multiply(s, many, threads);
    EXPECT_EQ(one, many);
    EXPECT_EQ(form.value(s, 1), form.value(s, threads));
  }
}

TEST(PairForm, Errors) {
  const std::vector<std::int32_t> one{0};
  const std::vector<std::int32_t> two{1, 2};
  expect_error(Errc::usage, "two ends", [&] { PairForm(3, one, two); });
  PairForm form(3, one, one);
  expect_error(Errc::usage, "one weight per pair",
               [&] { form.set_weights(std::array{1.0F, 2.0F}, 1); });
}

/// The slow twin of the kernel, with its sixteen chains.
float naive_dot(const std::vector<float>& entries, const std::vector<std::int32_t>& columns,
                const std::vector<float>& s) {
  std::array<float, 16> chains{};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    chains[i % 16] += entries[i] * s[static_cast<std::size_t>(columns[i])];
  }
  for (std::size_t half = 8; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) {
      chains[lane] += chains[lane + half];
    }
  }
  return chains[0];
}

TEST(SparseDot, SameBytesAsTheScalarLoop) {
  Rng rng(Seed{9});
  const auto s = random_vector(100, Seed{10});
  for (std::size_t size = 0; size < 70; ++size) {
    const auto entries = random_vector(size, Seed{11 + size});
    std::vector<std::int32_t> columns(size);
    for (std::int32_t& column : columns) {
      column = static_cast<std::int32_t>(rng.below(100));
    }
    EXPECT_EQ(sparse_dot(entries.data(), columns.data(), size, s.data()),
              naive_dot(entries, columns, s))
        << size;
  }
}

}  // namespace
}  // namespace structhash
