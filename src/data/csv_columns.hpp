#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/line_reader.hpp"
#include "structhash/data/loaders.hpp"

namespace structhash::data {

/// Splits a line of a csv file into fields, without white space at their ends.  A field in double
/// quotes may hold separators, and quotes that are written twice.
class CsvFields {
 public:
  CsvFields(std::string_view line, char separator) : rest_(line), separator_(separator) {}
  /// Valid until the next call.
  bool next(std::string_view& field);
  /// A quote was not closed, or text followed it.
  bool malformed() const { return malformed_; }

 private:
  void next_quoted(std::string_view& field);
  void end_field(std::size_t end);

  std::string_view rest_;
  std::string unquoted_;
  char separator_;
  bool done_ = false;
  bool malformed_ = false;
};

enum class ColumnRole : std::uint8_t { feature, label, id, dropped };

/// What the columns of a csv file are, from its first lines and the options.
struct CsvColumns {
  char separator = ',';
  bool has_header = false;
  std::vector<std::string> names;  // of the header
  std::vector<ColumnRole> roles;

  Index width() const { return std::ssize(roles); }
  Index count(ColumnRole role) const;
  /// Place of the first column with this role; -1: none.
  Index find(ColumnRole role) const;
  /// "column 3" or "column 3 ('species')".
  std::string text(Index column) const;
};

/// `last_is_label`: the last column is the label unless the options name one.
CsvColumns find_columns(const std::string& path, const TableOptions& options, bool last_is_label);

}  // namespace structhash::data
