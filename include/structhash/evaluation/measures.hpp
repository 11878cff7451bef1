#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "structhash/evaluation/tie_aware.hpp"

/// The measures a ranking is judged by.  Each is one small function over tie groups.
namespace structhash {

/// The value of one measure for one query that has at least one relevant item.
using MeasureFunction = std::function<double(const RankedQuery& query)>;

/// Each returns its measure for a cut-off and a database of `items`; definitions in
/// docs/evaluation.md and above the code.
namespace expected {
MeasureFunction auc(Index cutoff, Index items);
MeasureFunction ndcg(Index cutoff, Index items);
MeasureFunction ndcg_trec(Index cutoff, Index items);
MeasureFunction precision(Index cutoff, Index items);
MeasureFunction recall(Index cutoff, Index items);
MeasureFunction average_precision(Index cutoff, Index items);
MeasureFunction average_precision_retrieved(Index cutoff, Index items);
MeasureFunction reciprocal_rank(Index cutoff, Index items);
MeasureFunction precision_recall_area(Index cutoff, Index items);
MeasureFunction precision_in_radius(Index cutoff, Index items);
}  // namespace expected

enum class CutOff {
  none,
  optional,  // without one: the whole ranking
  rank,      // needed, 1 or more
  radius,    // needed, 0 or more: a Hamming distance
};

struct EvaluationMeasure {
  std::string_view name;  // users spell the cut-off after an @: "ndcg@100"
  std::string_view summary;
  CutOff cutoff;
  MeasureFunction (*make)(Index cutoff, Index items);
};

inline constexpr std::array kEvaluationMeasures{
    EvaluationMeasure{"ndcg", "discounted gain of the top K, the paper's discount (Eq. 21)",
                      CutOff::rank, expected::ndcg},
    EvaluationMeasure{"ndcg-trec", "discounted gain of the top K, discount 1/log2(1 + rank)",
                      CutOff::rank, expected::ndcg_trec},
    EvaluationMeasure{"precision", "relevant share of the top K", CutOff::rank,
                      expected::precision},
    EvaluationMeasure{"recall", "share of all relevant items that stand in the top K", CutOff::rank,
                      expected::recall},
    EvaluationMeasure{"map", "average precision over all relevant items; map@K stops at rank K",
                      CutOff::optional, expected::average_precision},
    EvaluationMeasure{"map-retrieved",
                      "average precision of the top K over the relevant items found there only; "
                      "inflated, to compare with papers",
                      CutOff::rank, expected::average_precision_retrieved},
    EvaluationMeasure{"mrr", "one over the rank of the first relevant item", CutOff::none,
                      expected::reciprocal_rank},
    EvaluationMeasure{"auc", "share of (relevant, other) pairs in the right order", CutOff::none,
                      expected::auc},
    EvaluationMeasure{"pr-auc", "area under the precision-recall curve over all cut-offs",
                      CutOff::none, expected::precision_recall_area},
    EvaluationMeasure{"precision-radius",
                      "relevant share of the items within a Hamming radius; 0 when there are none",
                      CutOff::radius, expected::precision_in_radius},
};

/// One measure as asked for.
struct MeasureRequest {
  const EvaluationMeasure* measure = nullptr;
  Index cutoff = 0;  // 0 where there is none

  std::string name() const;  // "ndcg@100"
  MeasureFunction function(Index items) const { return measure->make(cutoff, items); }
};

/// Reads "ndcg@100"; the error says what is wrong, what is known and what a right one looks like.
MeasureRequest parse_evaluation_measure(std::string_view text);

}  // namespace structhash
