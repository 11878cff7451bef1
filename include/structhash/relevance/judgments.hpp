#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "structhash/core/types.hpp"

/// Relevance judgments in the TREC form: for each query, grades of some items.
namespace structhash {

/// Larger grades are refused: the gain 2^grade - 1 would dwarf every other grade.
inline constexpr int kMaxGrade = 30;

struct Judgment {
  Index item = 0;
  int grade = 1;  // 1..kMaxGrade: relevant, more is better; 0 or less: judged not relevant
  bool operator==(const Judgment&) const = default;
};

/// One row of judgments per query; an item that is not listed is unjudged.
struct Judgments {
  Index items = 0;                             // number of items, judged or not
  std::vector<std::vector<Judgment>> queries;  // each ascending by item, no item twice
};

/// Throws unless items are in range and ascending and grades at most kMaxGrade.
void check(const Judgments& judgments);

/// Maps the ids in a file to rows of a matrix: numbers from 1, or a list of names.
class RowIds {
 public:
  static RowIds numbers(Index rows);                   // "1" is row 0
  static RowIds listed(std::vector<std::string> ids);  // ids[i] is row i; no name twice

  Index rows() const { return rows_; }
  std::optional<Index> row(std::string_view id) const;
  std::string id(Index row) const;
  std::string description() const;  // for messages: "a number from 1 to 1400"

 private:
  Index rows_ = 0;
  std::vector<std::string> ids_;  // empty: numbers
  std::unordered_map<std::string, Index> row_of_;
};

/// One name per line, for RowIds::listed.
std::vector<std::string> read_ids(const std::filesystem::path& file);

/// Reads lines "query 0 item grade", separated by spaces or tabs; the second field is ignored, as
/// in the tools of TREC.  Errors name file and line.
Judgments read_qrels(const std::filesystem::path& file, const RowIds& queries, const RowIds& items);

}  // namespace structhash
