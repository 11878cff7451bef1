#pragma once

#include "structhash/report/report_page.hpp"

namespace structhash::cli {

/// The files of report/ and the chart library, embedded when the command was built.
PageParts embedded_page();

}  // namespace structhash::cli
