#include "page_parts.hpp"

// Defined by page_parts.S, which has no namespaces.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
extern const char structhash_page_html[];
extern const char structhash_page_html_end[];
extern const char structhash_page_style[];
extern const char structhash_page_style_end[];
extern const char structhash_page_charts[];
extern const char structhash_page_charts_end[];
extern const char structhash_page_script[];
extern const char structhash_page_script_end[];
}
// NOLINTEND(readability-identifier-naming)

namespace structhash::cli {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

PageParts embedded_page() {
  return {.html = between(structhash_page_html, structhash_page_html_end),
          .style = between(structhash_page_style, structhash_page_style_end),
          .charts = between(structhash_page_charts, structhash_page_charts_end),
          .script = between(structhash_page_script, structhash_page_script_end)};
}

}  // namespace structhash::cli
