#include "structhash/relevance/judgments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <functional>
#include <utility>

#include "core/text_file.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Text from a file for a message: cut, unprintable bytes replaced.
std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMaxLength = 40;
  std::string shown;
  for (const char c : text.substr(0, kMaxLength)) {
    shown += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  }
  return '"' + shown + (text.size() > kMaxLength ? "...\"" : "\"");
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> split(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r";
  std::vector<std::string_view> fields;
  for (std::size_t begin = line.find_first_not_of(kBlank); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlank, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlank, end);
  }
  return fields;
}

/// Calls use(line number, fields) for every line that is not blank.
void for_each_line(const std::filesystem::path& file,
                   const std::function<void(Index, const std::vector<std::string_view>&)>& use) {
  require_regular_file(file.string());
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    fail(Errc::io, fmt::format("{}: cannot be opened; does it exist?", file.string()));
  }
  std::string line;
  for (Index number = 1; std::getline(in, line); ++number) {
    std::string_view text = line;
    if (number == 1 && text.starts_with("\xEF\xBB\xBF")) {
      text.remove_prefix(3);  // the byte order mark some editors write
    }
    const auto fields = split(text);
    if (!fields.empty()) {
      use(number, fields);
    }
  }
  if (in.bad() || !in.eof()) {
    fail(Errc::io, fmt::format("{}: reading failed; is it a regular file?", file.string()));
  }
}

[[noreturn]] void refuse(const std::filesystem::path& file, Index line, const std::string& what) {
  fail(Errc::bad_data, fmt::format("{}, line {}: {}", file.string(), line, what));
}

struct LinedJudgment {
  Judgment judgment;
  Index line;
};

int parse_grade(const std::filesystem::path& file, Index line, std::string_view text) {
  const auto grade = parse_number<int>(text);
  if (!grade) {
    refuse(file, line, fmt::format("grade {} is not a whole number", in_quotes(text)));
  }
  if (*grade > kMaxGrade) {
    refuse(file, line,
           fmt::format("grade {} is above {}; map the grades to a small range", *grade, kMaxGrade));
  }
  return *grade;
}

Index parse_row(const std::filesystem::path& file, Index line, std::string_view what,
                std::string_view id, const RowIds& ids) {
  const auto row = ids.row(id);
  if (!row) {
    refuse(file, line,
           fmt::format("{} {} is unknown; expected {}", what, in_quotes(id), ids.description()));
  }
  return *row;
}

/// Ascending by item; throws where an item was judged twice.
std::vector<Judgment> in_order(const std::filesystem::path& file,
                               std::vector<LinedJudgment> judged) {
  std::ranges::stable_sort(judged, {}, [](const LinedJudgment& j) { return j.judgment.item; });
  std::vector<Judgment> ordered;
  ordered.reserve(judged.size());
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (i > 0 && judged[i].judgment.item == judged[i - 1].judgment.item) {
      refuse(file, judged[i].line,
             fmt::format("this item was already judged for this query in line {}; keep one",
                         judged[i - 1].line));
    }
    ordered.push_back(judged[i].judgment);
  }
  return ordered;
}

}  // namespace

void check(const Judgments& judgments) {
  for (std::size_t query = 0; query < judgments.queries.size(); ++query) {
    Index previous = -1;
    for (const auto& [item, grade] : judgments.queries[query]) {
      const auto refuse_item = [&, judged = item](std::string_view why) {
        fail(Errc::bad_data,
             fmt::format("judgments of query {}: item {} {}", query + 1, judged + 1, why));
      };
      if (item < 0 || item >= judgments.items) {
        refuse_item(fmt::format("does not exist; there are {} items", judgments.items));
      }
      if (item <= previous) {
        refuse_item("is out of order or judged twice; sort by item and keep one");
      }
      if (grade > kMaxGrade) {
        refuse_item(fmt::format("has grade {}; the highest is {}", grade, kMaxGrade));
      }
      previous = item;
    }
  }
}

RowIds RowIds::numbers(Index rows) {
  RowIds ids;
  ids.rows_ = rows;
  return ids;
}

RowIds RowIds::listed(std::vector<std::string> names) {
  RowIds ids;
  ids.rows_ = std::ssize(names);
  ids.row_of_.reserve(names.size());
  for (std::size_t row = 0; row < names.size(); ++row) {
    const auto [first, is_new] = ids.row_of_.emplace(names[row], static_cast<Index>(row));
    if (!is_new) {
      fail(Errc::bad_data, fmt::format("id {} names row {} and row {}; ids must be unique",
                                       in_quotes(names[row]), first->second + 1, row + 1));
    }
  }
  ids.ids_ = std::move(names);
  return ids;
}

std::optional<Index> RowIds::row(std::string_view id) const {
  if (ids_.empty()) {
    const auto number = parse_number<Index>(id);
    return number && *number >= 1 && *number <= rows_ ? std::optional(*number - 1) : std::nullopt;
  }
  const auto found = row_of_.find(std::string(id));
  return found == row_of_.end() ? std::nullopt : std::optional(found->second);
}

std::string RowIds::id(Index row) const {
  require(row >= 0 && row < rows_, fmt::format("there is no row {} of {}", row + 1, rows_));
  return ids_.empty() ? std::to_string(row + 1) : ids_[static_cast<std::size_t>(row)];
}

std::string RowIds::description() const {
  return ids_.empty() ? fmt::format("a number from 1 to {}", rows_)
                      : fmt::format("one of the {} ids listed", rows_);
}

std::vector<std::string> read_ids(const std::filesystem::path& file) {
  std::vector<std::string> ids;
  for_each_line(file, [&](Index line, const std::vector<std::string_view>& fields) {
    if (fields.size() != 1) {
      refuse(file, line, fmt::format("found {} words, expected one id per line", fields.size()));
    }
    ids.emplace_back(fields.front());
  });
  return ids;
}

Judgments read_qrels(const std::filesystem::path& file, const RowIds& queries,
                     const RowIds& items) {
  std::vector<std::vector<LinedJudgment>> judged(static_cast<std::size_t>(queries.rows()));
  Index lines = 0;
  for_each_line(file, [&](Index line, const std::vector<std::string_view>& fields) {
    if (fields.size() != 4) {
      refuse(file, line,
             fmt::format("found {} fields, expected 4: query 0 item grade", fields.size()));
    }
    const Index query = parse_row(file, line, "query", fields[0], queries);
    const Index item = parse_row(file, line, "item", fields[2], items);
    judged[static_cast<std::size_t>(query)].push_back(
        {.judgment = {.item = item, .grade = parse_grade(file, line, fields[3])}, .line = line});
    ++lines;
  });
  if (lines == 0) {
    fail(Errc::bad_data,
         fmt::format("{}: holds no judgments; expected lines \"query 0 item grade\"",
                     file.string()));
  }
  Judgments judgments{.items = items.rows(), .queries = {}};
  for (auto& query : judged) {
    judgments.queries.push_back(in_order(file, std::move(query)));
  }
  return judgments;
}

}  // namespace structhash
