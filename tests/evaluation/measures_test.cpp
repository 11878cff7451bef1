#include "structhash/ranking/measures.hpp"

#include <gtest/gtest.h>

#include "evaluation/tie_aware.hpp"
#include "ranking/training_gains.hpp"
#include "reference/interleaving.hpp"
#include "structhash/core/rng.hpp"
#include "support/expect_error.hpp"

namespace structhash {
namespace {

using reference::Interleaving;
using reference::score;

TEST(ParseTies, NamesAndErrors) {
  for (const Ties ties : {Ties::average, Ties::best, Ties::worst, Ties::id}) {
    EXPECT_EQ(parse_ties(name_of(ties)), ties);
  }
  test::expect_error(Errc::usage, "unknown order of ties 'random'. Known: average, best, id, worst",
                     [] { parse_ties("random"); });
  test::expect_error(Errc::usage, "did you mean 'worst'?", [] { parse_ties("wurst"); });
}

TEST(GroupBuilder, JoinsWhatNoOrderCanChange) {
  std::vector<TieGroup> groups{{9, 9}};
  GroupBuilder builder(Ties::average, groups);
  for (const TieGroup group : {TieGroup{2, 0}, {1, 0}, {1, 1}, {2, 2}, {3, 1}, {3, 1}, {4, 0}}) {
    builder.add(group);
  }
  builder.finish();
  EXPECT_EQ(groups, (std::vector<TieGroup>{{3, 0}, {3, 3}, {3, 1}, {3, 1}, {4, 0}}));
}

TEST(GroupBuilder, CutsForBestAndWorst) {
  std::vector<TieGroup> groups;
  for (const auto& [ties, expected] :
       {std::pair{Ties::best, std::vector<TieGroup>{{1, 1}, {2, 0}, {2, 2}, {1, 0}}},
        std::pair{Ties::worst, std::vector<TieGroup>{{2, 0}, {1, 1}, {1, 0}, {2, 2}}}}) {
    GroupBuilder builder(ties, groups);
    builder.add({3, 1});
    builder.add({3, 2});
    builder.finish();
    EXPECT_EQ(groups, expected);
  }
}

/// Training and evaluation mean the same by a measure wherever the cut-off is at most the number
/// of relevant items (recall: where it is equal, as training divides by the smaller of the two).
TEST(TrainingMeasures, AgreeWithEvaluation) {
  Rng rng(Seed{1});
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Index P = 1 + rng.below(8);
    const Index N = 1 + rng.below(8);
    std::vector<int> pattern(static_cast<std::size_t>(P + N), 0);
    for (const Index at : sample_without_replacement(P + N, P, rng)) {
      pattern[static_cast<std::size_t>(at)] = 1;
    }
    RankedQuery query{.by_threshold = {{}}, .relevant = {P}, .items = P + N, .within = {}};
    Interleaving y{Vector<Index>(P)};
    GroupBuilder builder(Ties::id, query.by_threshold.front());
    Index relevant_before = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      builder.add({.items = 1, .relevant = pattern[i]});
      if (pattern[i] == 1) {
        y.before(relevant_before) = static_cast<Index>(i) - relevant_before;
        ++relevant_before;
      }
    }
    builder.finish();
    const std::string K = std::to_string(1 + rng.below(P));
    for (const std::string& name :
         {std::string("auc"), std::string("map"), std::string("mrr"), std::string("ndcg-simple"),
          "ndcg@" + K, "ndcg-paper@" + K, "precision@" + K, "recall@" + std::to_string(P)}) {
      const auto trained = make_measure(name);
      const NamedMeasure measure = parse_measure(name);
      ASSERT_NEAR(measure.entry->expected(measure.cutoff, P + N)(query),
                  score(GainTable(*trained, P, N), y), 1e-12)
          << name << " P " << P << " N " << N;
    }
  }
}

}  // namespace
}  // namespace structhash
