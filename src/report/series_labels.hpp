#pragma once

#include <span>

#include "report/report_data.hpp"

namespace structhash {

/// Fills `usual` and `label` of every series.  A label has only what distinguishes the series:
/// the method; parameters only where the method occurs with several; the distance only where it is
/// not the usual one of the method.
void label_series(std::span<ReportSeries> series);

}  // namespace structhash
