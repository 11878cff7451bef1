#pragma once

#include "structhash/report/report_page.hpp"

namespace structhash {

/// `document` is the JSON of to_json(ReportData).
std::string fill_page(std::string_view title, std::string_view document, const PageParts& parts);

}  // namespace structhash
