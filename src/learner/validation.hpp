#pragma once

#include <span>
#include <vector>

#include "core/shards.hpp"
#include "ranking/gain_table.hpp"
#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// Held-out queries: what parameters are chosen by.
namespace structhash {

/// A training set without the rows of some queries, and lists that ask those queries.
struct HoldOut {
  TrainingSet part;                       // learn from this; rows renumbered
  std::vector<RelevanceList> validation;  // over the rows of the whole training set, or of `asked`
  Matrix<float> asked = {};  // where the rows are cut: the rows held out, of all processes
};

/// Holds out `fraction` of the queries, at most `most`.  Where labels are known a held-out query is
/// asked of the other held-out rows: codes of rows that were learned from look better than those of
/// a database will.  Otherwise it is asked of the items of its own list.
/// Throws Errc::bad_data when there are too few queries to hold any out.
HoldOut hold_out(const TrainingSet& data, double fraction, Index most, Seed seed);
/// The same for every process of several: queries are held out of all shards, and all processes
/// get the same validation lists, which need labels.
HoldOut hold_out(const TrainingSet& data, const Shards& shards, double fraction, Index most,
                 Seed seed);

/// Share of the relevant rows, as the labels have it, that the lists hold on average; 1 where there
/// are no labels to count by.
double listed_share(std::span<const RelevanceList> lists, const Labels& labels);
/// The same over all shards, each of which is taken to hold its share of every class.
double listed_share(const TrainingSet& data, const Shards& shards);

/// How many of the pairs of rows are relevant to each other: of many rows, pairs with some of them.
/// Above 0.
double related_share(const Labels& labels, const Shards& shards);

/// Score of every list under the weighted Hamming distance of the codes: the mean of the scores
/// with ties broken for and against the relevant items.
std::vector<double> scores(const RankingMeasure& measure, std::span<const RelevanceList> lists,
                           const CodeMatrix& codes, std::span<const float> bit_weights,
                           Threads threads);

}  // namespace structhash
