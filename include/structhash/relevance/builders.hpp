#pragma once

#include <string_view>
#include <vector>

#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/relevance/judgments.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// Builds relevance lists from labels, judgments, distances or explicit lists.
///
/// Every query has its own random stream: its lists do not depend on the other queries, nor on the
/// number of threads.  Queries without a list are counted, never silently dropped; a builder throws
/// Errc::bad_data if no query gives a list.
namespace structhash {

/// What counts as relevant among rows with several labels each.
enum class LabelGrades {
  any,      // at least one label in common
  shared,   // graded by the number of labels in common
  jaccard,  // graded by labels in common over labels of either row
};

inline constexpr int kJaccardGrades = 4;

/// "any", "shared" or "jaccard"; throws Errc::usage for other names.
LabelGrades parse_label_grades(std::string_view name);

struct ListOptions {
  Index relevant = 50;              // R >= 1: max relevant items per query
  Index irrelevant = 50;            // N >= 1: max irrelevant items per query
  std::vector<Index> queries = {};  // the queries that get lists; empty: all of them
  Index items = 0;  // with labels: rows from this one on are queries, those before it items; 0:
                    // every row is both
  LabelGrades grades = LabelGrades::shared;
};

struct BuiltLists {
  std::vector<RelevanceList> lists;  // in the order of the queries; items ascending
  Index queries = 0;                 // with or without lists
  Index without_relevant = 0;        // queries with no relevant item: no list
  Index without_irrelevant = 0;      // queries with no irrelevant item: no list (may be both)
  std::vector<double> reach = {};    // TrainingSet::reach, from neighbours
};

/// Relevant: same class, or at least one label in common; the query itself is neither.
/// Uniform samples without replacement; all items if there are fewer.
/// Rows with several labels are graded by the labels they share with the query: one list per
/// threshold t = 1, 2, ..., relevant are the rows of grade t or more.  The lists of a query have
/// equal weights, which sum to 1 (docs/adr/0029).  The grade is the number of shared labels s, or
/// by the Jaccard index J = s / (labels of either row), 0 if s = 0,
///
///   1 + floor(J (kJaccardGrades - 1))      1 .. kJaccardGrades: equal labels
///
/// of which a query leaves out those that no row has.
/// Cost: O(R + N) per query for classes, O(rows) per query for multi-labels.
BuiltLists lists_from_labels(const Labels& labels, const ListOptions& options, Seed seed,
                             Threads threads);

struct JudgedListOptions {
  ListOptions lists = {};  // `queries` are rows of the judgments
  /// Adds unjudged items as irrelevant ones if fewer than N items are judged irrelevant.
  bool sample_unjudged = true;
  /// With grades, list weights follow NDCG@cutoff with this discount of ranks 1, 2, ...
  /// (ranking/discount.hpp); without a discount, the gain of the threshold alone.
  Index cutoff = 100;
  double (*discount)(Index rank) = nullptr;
};

/// One sample of items per query, and over it one binary list per grade threshold t = 1..G:
/// relevant are the items of grade t or more.  With the gain 2^grade - 1 and P_t relevant items
///
///   weight_t = 2^(t-1) IDCG_t / sum_s 2^(s-1) IDCG_s,   IDCG_t = sum_{r <= min(K, P_t)} S(r)
///
/// makes the graded NDCG@K of any ranking of the sample the weighted mean of the lists' binary
/// NDCG@K.  A threshold that no item or every item passes gives no list.
/// Queries are separate vectors: query q is row items + q of the training matrix.
BuiltLists lists_from_judgments(const Judgments& judgments, const JudgedListOptions& options,
                                Seed seed, Threads threads);

/// Relevant: the nearest `fraction` of the other rows by exact l2 distance (the paper's large sets:
/// 2 percent), at least one; the others are irrelevant.  Never holds an n x n matrix.
BuiltLists lists_from_neighbours(const MatrixView& x, double fraction, const ListOptions& options,
                                 Seed seed, Threads threads);

/// Explicit lists over the rows of a training matrix, checked: rows in range, no item twice or on
/// both sides, the query not among its items, weight finite and > 0.  Errors name the list.
BuiltLists lists_from_explicit(std::vector<RelevanceList> lists, Index rows);

}  // namespace structhash
