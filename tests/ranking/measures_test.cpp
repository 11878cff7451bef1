#include "ranking/training_gains.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ranking/discount.hpp"
#include "reference/interleaving.hpp"
#include "structhash/core/error.hpp"
#include "structhash/ranking/measures.hpp"

namespace structhash {
namespace {

using reference::score;

double score_of(std::string_view measure, const Vector<Index>& before, Index irrelevant) {
  return score(GainTable(*make_measure(measure), before.size(), irrelevant), {before});
}

// The ranking R I R I: relevant items at ranks 1 and 3, with 0 and 1 irrelevant ones before them.
const Vector<Index> kExample{{0, 1}};

TEST(Auc, HandWorkedExample) {
  EXPECT_DOUBLE_EQ(score_of("auc", kExample, 2), 3.0 / 4.0);  // 3 of 4 pairs in order
}

TEST(AveragePrecision, HandWorkedExample) {
  // precision at the relevant ranks 1 and 3 is 1/1 and 2/3, mean 5/6.
  EXPECT_DOUBLE_EQ(score_of("map", kExample, 2), 5.0 / 6.0);
}

TEST(Precision, HandWorkedExample) {
  EXPECT_DOUBLE_EQ(score_of("precision@2", kExample, 2), 0.5);
  EXPECT_DOUBLE_EQ(score_of("precision@100", kExample, 2), 0.5);  // K counts as min(100, 2)
}

TEST(Recall, HandWorkedExample) {
  EXPECT_DOUBLE_EQ(score_of("recall@1", kExample, 2), 1.0);  // one of the one that fits
  EXPECT_DOUBLE_EQ(score_of("recall@2", kExample, 2), 0.5);
  EXPECT_DOUBLE_EQ(score_of("recall@3", kExample, 2), 1.0);  // both within rank 3
}

TEST(ReciprocalRank, HandWorkedExample) {
  EXPECT_DOUBLE_EQ(score_of("mrr", kExample, 2), 1.0);
  EXPECT_DOUBLE_EQ(score_of("mrr", Vector<Index>{{2, 2}}, 2), 1.0 / 3.0);
}

TEST(Ndcg, HandWorkedExample) {
  // Ranks 1 and 3 of 3 relevant items, third at 5: S = 1, 1, 1/log2(3); K = 3.
  const double third = 1.0 / std::log2(3.0);
  EXPECT_DOUBLE_EQ(score_of("ndcg-paper@3", Vector<Index>{{0, 1, 2}}, 2),
                   (1.0 + third) / (2.0 + third));
  // 1/log2(1 + r) = 1, 1/log2(3), 1/2.
  EXPECT_DOUBLE_EQ(score_of("ndcg@3", Vector<Index>{{0, 1, 2}}, 2), 1.5 / (1.5 + third));
  // Ranks among irrelevant items only: 1, 2, 3, so 1, 1/log2(3), 1/2 over 3.
  EXPECT_DOUBLE_EQ(score_of("ndcg-simple", Vector<Index>{{0, 1, 2}}, 2), (1.5 + third) / 3.0);
}

TEST(Discount, StandardAndPaper) {
  EXPECT_EQ(discount_paper(1), 1.0);
  EXPECT_EQ(discount_paper(2), 1.0);
  EXPECT_DOUBLE_EQ(discount_paper(8), 1.0 / 3.0);
  EXPECT_EQ(discount_standard(1), 1.0);
  EXPECT_DOUBLE_EQ(discount_standard(7), 1.0 / 3.0);
}

TEST(Discount, SumsStartAtZero) {
  const Vector<double> sums = discount_sums(discount_paper, 4);
  ASSERT_EQ(sums.size(), 5);
  EXPECT_EQ(sums(0), 0.0);
  EXPECT_EQ(sums(2), 2.0);
  EXPECT_DOUBLE_EQ(sums(4), 2.0 + 1.0 / std::log2(3.0) + 0.5);
}

TEST(GainTable, CountsInPairs) {
  const GainTable gains(*make_measure("map"), 3, 4);
  EXPECT_EQ(gains.relevant(), 3);
  EXPECT_EQ(gains.irrelevant(), 4);
  EXPECT_DOUBLE_EQ(gains.in_pairs(2, 1), 2.0 / 3.0 / 3.0 * 6.0);  // P N / 2 = 6
}

TEST(GainTable, LargeCutoffCostsNothing) {
  const GainTable gains(*make_measure("ndcg@1000000000"), 2, 2);
  EXPECT_DOUBLE_EQ(gains(1, 0) + gains(2, 0), 1.0);
}

// A measure made of a lambda: what a user might get wrong.
template <typename Gain>
class Custom final : public RankingMeasure {
 public:
  explicit Custom(Gain gain) : gain_(gain) {}
  double gain(Index j, Index i, Index P, Index /*N*/) const override { return gain_(j, i, P); }

 private:
  Gain gain_;
};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::usage);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

void expect_message(const std::function<void()>& action, const std::string& part) {
  const std::string message = message_of(action);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

template <typename Gain>
void expect_refused(Gain gain, const std::string& part) {
  expect_message([&] { GainTable(Custom(gain), 2, 3); }, part);
}

TEST(GainTable, RefusesBrokenMeasures) {
  expect_refused([](Index, Index i, Index P) { return to_double(1 - i) / to_double(P); },
                 "gain(1, 2) is -0.5");
  expect_refused([](Index, Index i, Index P) { return (1.0 + to_double(i)) / to_double(P); },
                 "gain(1, 1) = 1 is above gain(1, 0) = 0.5");
  expect_refused([](Index, Index, Index) { return 1.0; }, "scores 2");
  expect_refused([](Index, Index, Index) { return std::numeric_limits<double>::quiet_NaN(); },
                 "gain(1, 0) is nan");
  EXPECT_NO_THROW(
      GainTable(Custom([](Index, Index, Index P) { return 1.0 / to_double(P); }), 2, 3));
}

TEST(GainTable, RefusesImpossibleSizes) {
  const auto measure = make_measure("map");
  expect_message([&] { GainTable(*measure, 0, 3); }, "1 to 32767 relevant items, got 0");
  expect_message([&] { GainTable(*measure, 3, 0); }, "irrelevant items, got 0");
  expect_message([&] { GainTable(*measure, 3, 40'000); }, "got 40000");
}

TEST(Score, RefusesAnotherListSize) {
  const GainTable gains(*make_measure("map"), 3, 4);
  EXPECT_THROW(score(gains, {kExample}), Error);
}

TEST(Measures, EveryEntryIsCompleteAndReadable) {
  Index trainable = 0;
  for (const MeasureEntry& entry : measures()) {
    const bool takes_cutoff = entry.cutoff == CutOff::rank || entry.cutoff == CutOff::radius;
    const std::string name = std::string(entry.name) + (takes_cutoff ? "@7" : "");
    EXPECT_EQ(parse_measure(name).name(), name);
    EXPECT_EQ(parse_measure(name).entry, &entry);
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_NE(entry.expected, nullptr);
    if (entry.gains != nullptr) {
      EXPECT_NE(make_measure(name), nullptr) << name;
      ++trainable;
    } else {
      EXPECT_THROW(make_measure(name), Error) << name;
    }
  }
  EXPECT_EQ(trainable, 8);
}

TEST(Measures, NamesAndCutoffs) {
  EXPECT_EQ(parse_measure("ndcg@100").cutoff, 100);
  EXPECT_EQ(parse_measure("map").name(), "map");
  EXPECT_EQ(parse_measure("map").cutoff, 0);
  EXPECT_EQ(parse_measure("map@1000").name(), "map@1000");
  EXPECT_EQ(parse_measure("precision-radius@0").name(), "precision-radius@0");
  const auto spelled = [](const char* name) { return spelling(*parse_measure(name).entry); };
  EXPECT_EQ(spelled("auc"), "auc");
  EXPECT_EQ(spelled("map"), "map[@K]");
  EXPECT_EQ(training_spelling(*parse_measure("map").entry), "map");
  EXPECT_EQ(spelled("ndcg@1"), "ndcg@K");
  EXPECT_EQ(spelled("precision-radius@1"), "precision-radius@R");
}

void expect_name_refused(std::string_view name, const std::string& part) {
  expect_message([&] { parse_measure(name); }, part);
  expect_message([&] { make_measure(name); }, part);
}

TEST(Measures, UnknownNameListsKnownOnes) {
  expect_name_refused("bleu",
                      "unknown measure 'bleu'. Known: auc, map, map-retrieved, mrr, ndcg, "
                      "ndcg-paper, ndcg-simple, pr-auc, precision, precision-radius, recall");
  expect_name_refused("ndgc@10", "unknown measure 'ndgc'; did you mean 'ndcg'?");
  expect_name_refused("NDCG@10", "did you mean 'ndcg'?");
  expect_name_refused("mAP", "did you mean 'map'?");
  expect_name_refused("precison@5", "did you mean 'precision'?");
  expect_name_refused("", "unknown measure ''");
}

TEST(Measures, CutoffErrorsSayWhatToWrite) {
  expect_name_refused("ndcg", "'ndcg' needs a cut-off, for example ndcg@100");
  expect_name_refused("precision-radius", "needs a radius, for example precision-radius@2");
  expect_name_refused("auc@5", "auc takes no cut-off; write auc");
  for (const std::string cutoff :
       {"", "0", "-3", "1.5", "ten", "10x", " 10", "99999999999999999999", "1000000001", "1@2"}) {
    expect_name_refused("ndcg@" + cutoff,
                        "must be a whole number from 1 to 1,000,000,000, got '" + cutoff + "'");
  }
  expect_name_refused("map@0", "a whole number from 1");
  expect_name_refused("precision-radius@-1", "the radius after @ must be a whole number from 0");
  EXPECT_THROW(training::ndcg(0), Error);
  EXPECT_THROW(training::precision(-1), Error);
}

TEST(MakeMeasure, MeasuresThatCannotBeTrainedForAreRefused) {
  for (const char* name : {"pr-auc", "map-retrieved@10", "precision-radius@2"}) {
    expect_message([&] { make_measure(name); },
                   std::string("measure '") + name +
                       "' can only be evaluated; train for one of ndcg@K, ndcg-paper@K, "
                       "ndcg-simple, precision@K, recall@K, map, mrr, auc");
  }
  expect_message([&] { make_measure("map@100"); }, "training for map takes no cut-off; write map");
}

}  // namespace
}  // namespace structhash
