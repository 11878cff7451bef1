#include "report/fill_page.hpp"

#include <gtest/gtest.h>

#include "report/fixture_rows.hpp"
#include "structhash/core/error.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

namespace structhash::test {
namespace {

std::string template_file(const std::string& name) {
  return read_bytes(in_repository("report/" + name));
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++found;
  }
  return found;
}

TEST(ReportPage, HoldsEveryPartOfTheTemplates) {
  const std::string html = template_file("page.html");
  const std::string style = template_file("page.css");
  const std::string script = template_file("draw.js") + template_file("model.js") +
                             template_file("texts.js") + template_file("tables.js") +
                             template_file("time.js") + template_file("parts.js") +
                             template_file("page.js");
  const std::string document = to_json(report_data(fixture_rows(), {}, {}));
  const std::string page = fill_page(
      "A & B <i>", document,
      {.html = html, .style = style, .charts = "const charts = '</script>';", .script = script});
  EXPECT_NE(page.find("<title>A &amp; B &lt;i&gt;</title>"), std::string::npos);
  EXPECT_NE(page.find(style), std::string::npos);
  EXPECT_NE(page.find(script), std::string::npos);
  EXPECT_NE(page.find("const charts = '<\\/script>';"), std::string::npos);
  EXPECT_NE(page.find("structhash (plain Hamming)"), std::string::npos);
  EXPECT_EQ(page.find("{{"), std::string::npos) << "a marker was left";
  // A label of the fixture tries to end the script; only the three real ones end.
  EXPECT_NE(page.find("\\u003c/script>\\u003cb>one"), std::string::npos);
  EXPECT_EQ(count(page, "</script>"), 3U);
}

TEST(ReportPage, FillsMarkersInTurnAndNeverInsideWhatWasFilledIn) {
  const PageParts parts{
      .html = "{{title}}|/*{{style}}*/|/*{{charts}}*/|{{document}}|/*{{script}}*/|",
      .style = "/*{{script}}*/",
      .charts = "{{document}}",
      .script = "s"};
  EXPECT_EQ(fill_page("t", R"({"a":"<!--"})", parts),
            R"(t|/*{{script}}*/|{{document}}|{"a":"\u003c!--"}|s|)");
}

TEST(ReportPage, SaysWhatIsMissing) {
  try {
    fill_page("t", "{}", {.html = "", .style = "", .charts = "", .script = ""});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::usage);
    EXPECT_NE(std::string(error.what()).find("scripts/fetch_charts.sh"), std::string::npos);
  }
  EXPECT_THROW(fill_page("t", "{}", {.html = "<p>", .style = "", .charts = "c", .script = ""}),
               Error);
}

}  // namespace
}  // namespace structhash::test
