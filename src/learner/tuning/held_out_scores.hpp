#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/ranking/measures.hpp"
#include "structhash/relevance/relevance_list.hpp"

namespace structhash {

/// The expected value of a measure for lists that hold the share `listed` of the relevant rows: a
/// cut-off K becomes max(1, K listed), as in training.
MeasureFunction held_out_measure(std::string_view name, double listed,
                                 std::span<const RelevanceList> lists);

/// Score of every query under the weighted Hamming distance of the codes, over all orders of tied
/// items; the lists of one query stand together.  With weights w and values v of the lists
///
///   score of a query = sum of its w v, over the mean of the queries' sums of w
///
/// so that the plain mean of the scores is the weighted mean of the values.
std::vector<double> scores(const MeasureFunction& measure, std::span<const RelevanceList> lists,
                           const CodeMatrix& codes, std::span<const float> bit_weights,
                           Threads threads);

}  // namespace structhash
