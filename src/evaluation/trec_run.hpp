#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "structhash/codes/distance.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/relevance/judgments.hpp"

/// Rankings in the format of TREC runs, for other people's evaluation tools.
namespace structhash {

struct TrecRunOptions {
  Index depth = 1000;  // items per query
  std::string tag = "structhash";
  Threads threads = 1;  // 0: all processors; a stop flag is checked for every query
};

/// The text that is held in memory at a time, if it is of more than one query.
constexpr double kMaxRunText = 64.0 * 1024 * 1024;
constexpr double kBytesPerRunLine = 48.0;

/// Lines "query Q0 item rank score tag", nearest first, equal distances by database row; the score
/// is minus the distance.  TREC's own tools sort by score and break ties by item name in their own
/// way: with ties their values differ from all of these.
void write_trec_run(std::ostream& out, const CodeMatrix& database, const CodeMatrix& queries,
                    const BitWeights& bit_weights, const RowIds& query_ids, const RowIds& item_ids,
                    const TrecRunOptions& options);

}  // namespace structhash
