#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "structhash/core/types.hpp"

/// The ranking measures, by name.  A new measure needs its gain (src/ranking/training_gains.cpp) if
/// it can be trained for, its expected value (src/ranking/expected.cpp), a line in the table
/// (src/ranking/measures.cpp) and its textbook definition in the tests.
namespace structhash {

class RankingMeasure;  // src/ranking/gain_table.hpp: a measure as a table of gains
struct RankedQuery;    // src/ranking/ranked_query.hpp: the ranking of the database for one query

/// The value of a measure for one query that has at least one relevant item.
using MeasureFunction = std::function<double(const RankedQuery& query)>;

enum class CutOff {
  none,
  optional,  // without one: the whole ranking, as in training
  rank,      // required, 1 or more
  radius,    // required, 0 or more: a Hamming distance
};

struct MeasureEntry {
  std::string_view name;  // users write the cut-off after an @: "ndcg@100"
  std::string_view summary;
  CutOff cutoff = CutOff::none;
  std::unique_ptr<RankingMeasure> (*gains)(Index cutoff) = nullptr;  // null: not trainable
  MeasureFunction (*expected)(Index cutoff, Index items) = nullptr;  // items: database size
  double (*discount)(Index rank) =
      nullptr;  // of measures that lists of graded judgments can follow
};

std::span<const MeasureEntry> measures();

/// How users write the measure: "ndcg@K", "map[@K]", "precision-radius@R".
std::string spelling(const MeasureEntry& entry);
/// The same for training, which takes no optional cut-off: "map".
std::string training_spelling(const MeasureEntry& entry);

/// A measure with its cut-off.
struct NamedMeasure {
  const MeasureEntry* entry = nullptr;
  Index cutoff = 0;  // 0 if there is none

  std::string name() const;  // "ndcg@100"
};

/// Reads "map" or "ndcg@100".  Throws Errc::usage for an unknown name and for a cut-off that is
/// missing, not allowed or out of range.
NamedMeasure parse_measure(std::string_view text);

}  // namespace structhash
