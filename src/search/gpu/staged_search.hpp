#pragma once

#include "search/gpu/scan_device.hpp"

/// Exact search by the scans of a device, whose lists of hits are short.
namespace structhash::search::gpu {

/// Real or plain queries: codes, and the weights of all or of each.
struct DeviceQueries {
  CodeSpan codes;
  std::span<const float>
      weights;  // empty: plain; bits values for all, or for each one after another
  bool own_weights = false;

  std::span<const float> weights_of(Index query) const;
};

/// Lists of the queries that could be finished; the others, whose codes are too much alike for the
/// bounds, are in `unfinished`.
struct StagedAnswer {
  Neighbours lists;
  std::vector<Index> unfinished;
};

/// The k nearest rows of every query.
///
/// A scan of few rows without a limit gives the first bounds, the distances of the k-th nearest so
/// far; each of the following scans covers several times the rows before it, within the bound of
/// all before it.  Hits of a query that do not fit its list are dropped, but they still lower its
/// bound: their rows are scanned again, for this query alone, in smaller parts and within the lower
/// bound, from which its weights are quantised anew.  A part with no more rows than the list has
/// places cannot overflow.  A row is dropped only where k rows with smaller keys are known, so the
/// answer is exact whatever the order of the rows.
StagedAnswer staged_nearest(ScanDevice& device, const DeviceQueries& queries, Index k);

/// For every query the rows whose D(x) is within the limit of `radius`: all rows within the radius
/// and some more.  Their distances are not computed: 0.
StagedAnswer staged_within(ScanDevice& device, const DeviceQueries& queries, float radius);

}  // namespace structhash::search::gpu
