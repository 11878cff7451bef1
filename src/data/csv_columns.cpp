#include "data/csv_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/suggest.hpp"

namespace structhash::data {
namespace {

using Line = std::vector<std::string>;

bool is_number(std::string_view field) {
  double value = 0.0;
  return parse_number(field, value);
}

/// The first of comma, semicolon and tab that the line holds outside of quotes.
char separator_of(std::string_view line) {
  for (const char candidate : {',', ';', '\t'}) {
    bool quoted = false;
    for (const char c : line) {
      quoted = quoted != (c == '"');
      if (c == candidate && !quoted) {
        return candidate;
      }
    }
  }
  return ',';
}

Line split_line(LineReader& lines, std::string_view line, char separator) {
  Line fields;
  CsvFields reader(line, separator);
  for (std::string_view field; reader.next(field);) {
    fields.emplace_back(field);
  }
  if (reader.malformed()) {
    lines.fail(std::ssize(fields), "a quote is not closed; write every row on one line");
  }
  return fields;
}

/// A column number from 1 as a place from 0; -1 for any other word.
Index place_of_number(const std::string& word, Index width) {
  Index number = 0;
  const char* end = word.data() + word.size();
  const auto [stop, status] = std::from_chars(word.data(), end, number);
  return status == std::errc{} && stop == end && number >= 1 && number <= width ? number - 1 : -1;
}

Line wanted_columns(const TableOptions& options) {
  Line wanted = options.dropped_columns;
  for (const std::string& column : {options.label_column, options.id_column}) {
    if (!column.empty()) {
      wanted.push_back(column);
    }
  }
  return wanted;
}

/// Place of the column that is named by `word`: a name of the header, or a number.
Index find_column(const ByteSource& source, const CsvColumns& columns, const std::string& word) {
  const auto named = std::ranges::find(columns.names, word);
  if (named != columns.names.end()) {
    return named - columns.names.begin();
  }
  const Index place = place_of_number(word, columns.width());
  if (place < 0) {
    const std::vector<std::string_view> known(columns.names.begin(), columns.names.end());
    const std::string_view closest = closest_name(word, known);
    source.fail(
        Errc::usage,
        fmt::format("has no column '{}'{}; use {}a number from 1 to {}", word,
                    closest.empty() ? "" : fmt::format(", did you mean '{}'?", closest),
                    columns.has_header ? "a name of the first line or " : "", columns.width()));
  }
  return place;
}

/// Whether the text occurs in a column of the lines that follow: names of classes do, a header does
/// not.
bool occurs_again(LineReader& lines, const std::string& text, std::size_t column, char separator) {
  for (std::string_view line; lines.next(line);) {
    const Line fields = split_line(lines, line, separator);
    if (column < fields.size() && fields[column] == text) {
      return true;
    }
  }
  return false;
}

/// Fields of the first line that must be numbers if it is data.
Line feature_fields(const Line& first, const TableOptions& options, bool last_is_label) {
  std::vector<bool> is_feature(first.size(), true);
  for (const std::string& word : wanted_columns(options)) {
    if (const Index place = place_of_number(word, std::ssize(first)); place >= 0) {
      is_feature[static_cast<std::size_t>(place)] = false;
    }
  }
  if (last_is_label && options.label_column.empty()) {
    is_feature.back() = false;
  }
  Line fields;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (is_feature[i]) {
      fields.push_back(first[i]);
    }
  }
  return fields;
}

/// 0,1,2,...: column names, as pandas writes them.
bool counts_columns(const Line& first) {
  for (std::size_t column = 0; column < first.size(); ++column) {
    if (first[column] != std::to_string(column)) {
      return false;
    }
  }
  return first.size() >= 3;
}

/// The first line is a header if it names a wanted column, or if no feature in it is a number.
bool detect_header(LineReader& lines, const Line& first, const TableOptions& options,
                   bool last_is_label, char separator) {
  for (const std::string& word : wanted_columns(options)) {
    if (!is_number(word) && std::ranges::find(first, word) != first.end()) {
      return true;
    }
  }
  if (counts_columns(first)) {
    lines.source().fail(Errc::bad_data,
                        "the first line counts the columns (0, 1, 2, ...) as column names do; use "
                        "--header yes if it is a header, --header no if it is data");
  }
  const Line features = feature_fields(first, options, last_is_label);
  if (std::ranges::any_of(features, is_number)) {
    return false;
  }
  std::string_view second_line;
  if (!lines.next(second_line)) {
    return !features.empty() && !features.front().empty();
  }
  const Line second = split_line(lines, second_line, separator);
  if (std::ranges::none_of(feature_fields(second, options, last_is_label), is_number)) {
    const Index label = place_of_number(options.label_column, std::ssize(first));
    const auto column = static_cast<std::size_t>(std::max<Index>(0, label));
    const std::string& text = first[column];
    return !is_number(text) && (column >= second.size() || second[column] != text) &&
           !occurs_again(lines, text, column, separator);
  }
  if (std::ranges::find(features, "") != features.end()) {
    lines.source().fail(
        Errc::bad_data,
        "a column of the first line has no name, like the index column of pandas; use "
        "--drop-columns or --id-column with its number, and --header yes");
  }
  return true;
}

void set_role(const ByteSource& source, CsvColumns& columns, Index column, ColumnRole role) {
  ColumnRole& current = columns.roles[static_cast<std::size_t>(column)];
  if (current != ColumnRole::feature) {
    source.fail(Errc::usage, fmt::format("{} is named twice; a column is a label, an id or dropped",
                                         columns.text(column)));
  }
  current = role;
}

}  // namespace

bool CsvFields::next(std::string_view& field) {
  if (done_) {
    return false;
  }
  const std::size_t start = std::min(rest_.find_first_not_of(' '), rest_.size());
  if (start < rest_.size() && rest_[start] == '"') {
    rest_.remove_prefix(start + 1);
    next_quoted(field);
    return true;
  }
  const std::size_t end = rest_.find(separator_);
  field = trimmed(rest_.substr(0, end));
  end_field(end);
  return true;
}

void CsvFields::next_quoted(std::string_view& field) {
  unquoted_.clear();
  bool closed = false;
  while (!closed && !rest_.empty()) {
    const std::size_t quote = std::min(rest_.find('"'), rest_.size());
    unquoted_.append(rest_.substr(0, quote));
    const bool twice = rest_.substr(quote).starts_with("\"\"");
    closed = quote < rest_.size() && !twice;
    unquoted_.append(twice ? "\"" : "");
    rest_.remove_prefix(std::min(quote + (twice ? 2 : 1), rest_.size()));
  }
  field = trimmed(unquoted_);
  const std::size_t end = rest_.find(separator_);
  malformed_ = malformed_ || !closed || !trimmed(rest_.substr(0, end)).empty();
  end_field(end);
}

void CsvFields::end_field(std::size_t end) {
  done_ = end == std::string_view::npos;
  rest_.remove_prefix(done_ ? rest_.size() : end + 1);
}

Index CsvColumns::count(ColumnRole role) const {
  return std::ranges::count(roles, role);
}

Index CsvColumns::find(ColumnRole role) const {
  const auto found = std::ranges::find(roles, role);
  return found == roles.end() ? -1 : found - roles.begin();
}

std::string CsvColumns::text(Index column) const {
  return has_header ? fmt::format("column {} ({})", column + 1,
                                  shown(names[static_cast<std::size_t>(column)]))
                    : fmt::format("column {}", column + 1);
}

CsvColumns find_columns(const std::string& path, const TableOptions& options, bool last_is_label) {
  LineReader lines(path);
  std::string_view line;
  if (!lines.next(line)) {
    lines.source().fail(Errc::bad_data, "holds no data: no line has numbers");
  }
  CsvColumns columns;
  columns.separator = separator_of(line);
  const Line first = split_line(lines, line, columns.separator);
  columns.has_header = options.header == Header::yes ||
                       (options.header == Header::automatic &&
                        detect_header(lines, first, options, last_is_label, columns.separator));
  columns.roles.assign(first.size(), ColumnRole::feature);
  if (columns.has_header) {
    columns.names = first;
  }
  const auto give = [&](const std::string& word, ColumnRole role) {
    set_role(lines.source(), columns, find_column(lines.source(), columns, word), role);
  };
  for (const std::string& word : options.dropped_columns) {
    give(word, ColumnRole::dropped);
  }
  if (!options.id_column.empty()) {
    give(options.id_column, ColumnRole::id);
  }
  if (!options.label_column.empty()) {
    give(options.label_column, ColumnRole::label);
  } else if (last_is_label) {
    set_role(lines.source(), columns, columns.width() - 1, ColumnRole::label);
  }
  return columns;
}

}  // namespace structhash::data
