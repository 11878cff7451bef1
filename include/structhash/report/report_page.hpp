#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "structhash/evaluation/result_row.hpp"
#include "structhash/report/expected_values.hpp"

/// One HTML file that needs no other file and no network.
namespace structhash {

/// The pieces of the page, as text: files of report/, and the chart library.
struct PageParts {
  std::string_view html;    // with a marker where each of the others belongs
  std::string_view style;   // page.css
  std::string_view charts;  // the chart library
  std::string_view script;  // our own scripts
};

/// Facts that are not in the rows.
struct ReportNotes {
  std::string title = "StructHash results";
  std::vector<std::pair<std::string, std::string>> facts{};  // machine, protocol, command, ...
};

/// The page of some rows, with published numbers beside them.  Throws Errc::bad_data if there is no
/// row, Errc::usage if the chart library is empty.
std::string report_page(std::vector<DetailedRow> rows, const std::vector<ExpectedRow>& expected,
                        const ReportNotes& notes, const PageParts& parts);

/// Throws Errc::usage if the chart library is empty: to find out before long work.
void require_charts(const PageParts& parts);

}  // namespace structhash
