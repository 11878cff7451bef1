#include "structhash/report/report_page.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "report/fill_page.hpp"
#include "report/report_data.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  result.reserve(text.size());
  for (;;) {
    const auto at = text.find(from);
    result += text.substr(0, at);
    if (at == std::string_view::npos) {
      return result;
    }
    result += to;
    text.remove_prefix(at + from.size());
  }
}

std::string escaped_html(std::string_view text) {
  return replaced(replaced(replaced(text, "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
}

/// In JSON a '<' occurs only in strings, where it may be written \u003c: neither </script nor
/// <!-- is left.
std::string escaped_json(std::string_view json) {
  return replaced(json, "<", "\\u003c");
}

/// In a script </script occurs only in strings and patterns, where a slash may be escaped.
std::string escaped_script(std::string_view script) {
  return replaced(script, "</script", "<\\/script");
}

}  // namespace

void require_charts(const PageParts& parts) {
  require(!parts.charts.empty(),
          "this program was built without the chart library that pages need: run "
          "scripts/fetch_charts.sh, then configure and build again");
}

std::string fill_page(std::string_view title, std::string_view document, const PageParts& parts) {
  require_charts(parts);
  const std::array<std::pair<std::string_view, std::string>, 5> fillings{
      {{"{{title}}", escaped_html(title)},
       {"/*{{style}}*/", std::string(parts.style)},
       {"/*{{charts}}*/", escaped_script(parts.charts)},
       {"{{document}}", escaped_json(document)},
       {"/*{{script}}*/", escaped_script(parts.script)}}};
  // Each marker is searched for after the one before: inserted text is never searched.
  std::string page;
  std::string_view rest = parts.html;
  for (const auto& [marker, text] : fillings) {
    const auto at = rest.find(marker);
    if (at == std::string_view::npos) {
      fail(Errc::internal, fmt::format("the page has no place for {}", marker));
    }
    page += rest.substr(0, at);
    page += text;
    rest.remove_prefix(at + marker.size());
  }
  page += rest;
  return page;
}

std::string report_page(std::vector<DetailedRow> rows, const std::vector<ExpectedRow>& expected,
                        const ReportNotes& notes, const PageParts& parts) {
  return fill_page(notes.title, to_json(report_data(std::move(rows), expected, notes)), parts);
}

}  // namespace structhash
