#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "structhash/codes/code_matrix.hpp"
#include "structhash/relevance/judgments.hpp"

/// Rankings in the format of TREC runs, for other people's evaluation tools.
namespace structhash {

struct TrecRunOptions {
  Index depth = 1000;  // items per query
  std::string tag = "structhash";
  int threads = 1;
};

/// Lines "query Q0 item rank score tag", nearest first, equal distances by database row; the score
/// is minus the distance.  TREC's own tools sort by score and break ties by item name in their own
/// way: with ties their values differ from all of these.
void write_trec_run(std::ostream& out, const CodeMatrix& database, const CodeMatrix& queries,
                    std::span<const float> bit_weights, const RowIds& query_ids,
                    const RowIds& item_ids, const TrecRunOptions& options);

}  // namespace structhash
