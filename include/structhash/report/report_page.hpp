#pragma once

#include <string>
#include <string_view>

/// One HTML file that needs no other file and no network.
namespace structhash {

/// The pieces of the page, as text: files of report/, and the chart library.
struct PageParts {
  std::string_view html;    // with a marker where each of the others belongs
  std::string_view style;   // page.css
  std::string_view charts;  // the chart library
  std::string_view script;  // our own scripts
};

/// `document` is the JSON of to_json(ReportData).  Throws Errc::usage if the chart library is
/// empty.
std::string report_page(std::string_view title, std::string_view document, const PageParts& parts);

}  // namespace structhash
