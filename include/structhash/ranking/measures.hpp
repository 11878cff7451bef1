#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "structhash/ranking/measure.hpp"

/// The measures a user can train for, by name.  A new one is its gain (src/ranking/measures.cpp),
/// a line of kMeasures and its textbook definition in the tests.
namespace structhash {

std::unique_ptr<RankingMeasure> make_auc(Index cutoff);
std::unique_ptr<RankingMeasure> make_ndcg(Index cutoff);
std::unique_ptr<RankingMeasure> make_ndcg_trec(Index cutoff);
std::unique_ptr<RankingMeasure> make_ndcg_simple(Index cutoff);
std::unique_ptr<RankingMeasure> make_precision(Index cutoff);
std::unique_ptr<RankingMeasure> make_recall(Index cutoff);
std::unique_ptr<RankingMeasure> make_average_precision(Index cutoff);
std::unique_ptr<RankingMeasure> make_reciprocal_rank(Index cutoff);

struct MeasureEntry {
  std::string_view name;  // users spell the cut-off after an @: "ndcg@100"
  std::string_view summary;
  bool takes_cutoff;
  std::unique_ptr<RankingMeasure> (*make)(Index cutoff);  // the cut-off is ignored if not taken
};

// NOLINTBEGIN(modernize-use-designated-initializers): a table reads better without column names
inline constexpr std::array kMeasures{
    MeasureEntry{"auc", "area under the ROC curve: pairs in the right order", false, make_auc},
    MeasureEntry{"ndcg", "discounted gain of the top K, the paper's discount", true, make_ndcg},
    MeasureEntry{"ndcg-trec", "discounted gain of the top K, 1/log2(1 + rank)", true,
                 make_ndcg_trec},
    MeasureEntry{"ndcg-simple", "discounted gain by the rank among irrelevant items only", false,
                 make_ndcg_simple},
    MeasureEntry{"precision", "relevant share of the top K", true, make_precision},
    MeasureEntry{"recall", "share of the relevant items in the top K", true, make_recall},
    MeasureEntry{"map", "average precision", false, make_average_precision},
    MeasureEntry{"mrr", "reciprocal rank of the first relevant item", false, make_reciprocal_rank},
};
// NOLINTEND(modernize-use-designated-initializers)

/// The measure a user names, "map" or "ndcg@100".  Throws Errc::usage for an unknown name (with
/// the known ones and the nearest), and for a missing, needless or senseless cut-off.
/// For lists that hold only a share of the relevant items a cut-off K counts as K listed, at least
/// 1: about where rank K of all items stands in a list.
std::unique_ptr<RankingMeasure> make_measure(std::string_view name, double listed = 1.0);

}  // namespace structhash
