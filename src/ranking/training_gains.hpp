#pragma once

#include <memory>
#include <string_view>

#include "ranking/gain_table.hpp"

/// The measures as training sees them: gains of relevant items.
namespace structhash {

/// One function per trainable measure; a measure without a cut-off ignores it.
namespace training {
std::unique_ptr<RankingMeasure> auc(Index cutoff);
std::unique_ptr<RankingMeasure> ndcg(Index cutoff);
std::unique_ptr<RankingMeasure> ndcg_paper(Index cutoff);
std::unique_ptr<RankingMeasure> ndcg_simple(Index cutoff);
std::unique_ptr<RankingMeasure> precision(Index cutoff);
std::unique_ptr<RankingMeasure> recall(Index cutoff);
std::unique_ptr<RankingMeasure> average_precision(Index cutoff);
std::unique_ptr<RankingMeasure> reciprocal_rank(Index cutoff);
}  // namespace training

/// The gains of a measure by name, "map" or "ndcg@100".  Throws Errc::usage as parse_measure does,
/// and for a measure that cannot be trained for.
/// For lists that hold only a share of the relevant items, `listed` in (0, 1], a cut-off K becomes
/// max(1, K listed): about the place of rank K of all items in a list.
std::unique_ptr<RankingMeasure> make_measure(std::string_view name, double listed = 1.0);

}  // namespace structhash
