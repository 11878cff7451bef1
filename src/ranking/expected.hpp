#pragma once

#include "ranking/ranked_query.hpp"
#include "structhash/ranking/measures.hpp"

/// The measures as evaluation sees them: expected values over the orders of tied items.
/// Each function returns its measure for a cut-off and a database of `items`; definitions are in
/// docs/evaluation.md and above the code.
namespace structhash::expected {

MeasureFunction auc(Index cutoff, Index items);
MeasureFunction ndcg(Index cutoff, Index items);
MeasureFunction ndcg_paper(Index cutoff, Index items);
MeasureFunction ndcg_simple(Index cutoff, Index items);
MeasureFunction precision(Index cutoff, Index items);
MeasureFunction recall(Index cutoff, Index items);
MeasureFunction average_precision(Index cutoff, Index items);
MeasureFunction average_precision_retrieved(Index cutoff, Index items);
MeasureFunction reciprocal_rank(Index cutoff, Index items);
MeasureFunction precision_recall_area(Index cutoff, Index items);
MeasureFunction precision_in_radius(Index cutoff, Index items);

/// The precision at the first rank whose expected recall reaches `level`; 0 if none does.
double precision_at_recall(const RankedQuery& query, double level);

}  // namespace structhash::expected
