#include "evaluation/trec_run.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "random_codes.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

TEST(TrecRun, NearestFirstTiesByRow) {
  CodeMatrix database(4, 3);  // 000, 011, 010, 001 against 000: distances 0, 2, 1, 1
  database.set(1, 0, true);
  database.set(1, 1, true);
  database.set(2, 1, true);
  database.set(3, 0, true);
  const CodeMatrix queries(1, 3);
  std::ostringstream out;
  write_trec_run(out, database, queries, {}, RowIds::listed({"q"}),
                 RowIds::listed({"a", "b", "c", "d"}), {.depth = 3, .tag = "t", .threads = 1});
  EXPECT_EQ(out.str(), "q Q0 a 1 0 t\nq Q0 c 2 -1 t\nq Q0 d 3 -1 t\n");

  std::ostringstream weighted;
  const std::vector<float> weights{0.25F, 2.5F, 1.0F};
  write_trec_run(weighted, database, queries, weights, RowIds::numbers(1), RowIds::numbers(4),
                 {.depth = 99, .tag = "w", .threads = 1});
  EXPECT_EQ(weighted.str(), "1 Q0 1 1 0 w\n1 Q0 4 2 -0.25 w\n1 Q0 3 3 -2.5 w\n1 Q0 2 4 -2.75 w\n");
}

TEST(TrecRun, SameBytesForAnyNumberOfThreads) {
  const CodeMatrix database = random_codes(200, 20, 1);
  const CodeMatrix queries = random_codes(530, 20, 2);
  const auto run = [&](int threads) {
    std::ostringstream out;
    write_trec_run(out, database, queries, random_weights(20, 3), RowIds::numbers(530),
                   RowIds::numbers(200), {.depth = 10, .tag = "x", .threads = threads});
    return out.str();
  };
  EXPECT_EQ(run(1), run(4));
}

TEST(TrecRun, RefusesWhatDoesNotFit) {
  const CodeMatrix database = random_codes(5, 8, 1);
  const CodeMatrix queries = random_codes(2, 8, 2);
  const std::vector<float> short_weights(7, 1.0F);
  const auto run = [&](const CodeMatrix& q, std::span<const float> weights, Index items,
                       const TrecRunOptions& options) {
    std::ostringstream out;
    write_trec_run(out, database, q, weights, RowIds::numbers(2), RowIds::numbers(items), options);
  };
  EXPECT_NO_THROW(run(queries, {}, 5, {}));
  EXPECT_THROW(run(random_codes(2, 9, 2), {}, 5, {}), Error);
  EXPECT_THROW(run(queries, short_weights, 5, {}), Error);
  EXPECT_THROW(run(queries, {}, 6, {}), Error);
  EXPECT_THROW(run(queries, {}, 5, {.depth = 0}), Error);
  EXPECT_THROW(run(queries, {}, 5, {.tag = "two words"}), Error);
  EXPECT_THROW(run(queries, {}, 5, {.tag = ""}), Error);
  std::ostringstream broken;
  broken.setstate(std::ios::badbit);
  EXPECT_THROW(
      write_trec_run(broken, database, queries, {}, RowIds::numbers(2), RowIds::numbers(5), {}),
      Error);
}

}  // namespace
}  // namespace structhash
