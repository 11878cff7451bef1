#pragma once

#include <span>

#include "report/report_data.hpp"

namespace structhash {

/// Fills `usual` and `label` of every series.  A label says no more than tells the series apart:
/// the method; parameters only where the method occurs with several; the distance only where it is
/// not the one the method is meant for.
void label_series(std::span<ReportSeries> series);

}  // namespace structhash
