#pragma once

#include <span>
#include <vector>

#include "ranking/gain_table.hpp"
#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/relevance/relevance_list.hpp"

namespace structhash {

/// Score of every list under the weighted Hamming distance of the codes: the mean of the scores
/// with ties broken for and against the relevant items.
std::vector<double> scores(const RankingMeasure& measure, std::span<const RelevanceList> lists,
                           const CodeMatrix& codes, std::span<const float> bit_weights,
                           Threads threads);

}  // namespace structhash
