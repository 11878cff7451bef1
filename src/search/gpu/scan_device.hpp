#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/row_range.hpp"
#include "search/gpu/quantised_query.hpp"

/// What a staged search needs of a device that holds the codes: a GPU, or its twin in the tests.
namespace structhash::search::gpu {

struct DeviceLimits {
  Index rows = 0;      // of the database
  Index capacity = 0;  // hits that a query may have per scan
  Index queries = 0;   // at once
  Index k = 0;
};

/// The answers to a batch, complete but for the parts of which hits were dropped.
struct Ranking {
  std::vector<std::vector<Key>> nearest;  // per query, ascending, without the dropped hits
  std::vector<Key> bounds;                // no key above it is among the k nearest
  std::vector<std::uint8_t> overflowed;   // parts x queries
};

/// Rows with D(x) <= limit.
struct Hits {
  std::vector<std::uint32_t> counts;             // per query, dropped hits included
  std::vector<std::vector<std::uint32_t>> rows;  // at most `capacity` per query
};

class ScanDevice {
 public:
  explicit ScanDevice(DeviceLimits limits) : limits_(limits) {}
  virtual ~ScanDevice() = default;
  const DeviceLimits& limits() const { return limits_; }

  /// From now on only these rows count; empty: all.
  virtual void allow(std::span<const std::uint64_t> allowed) = 0;
  /// Scans the parts one after the other for rows whose D(x) is within the limit of the bound, and
  /// ranks after each of them, which lowers the bounds.  Rows behind that of the bound which have
  /// the same code need not be hits.
  virtual Ranking nearest(const QueryBatch& batch, std::span<const RowRange> parts, Index k) = 0;
  /// All rows of a range that are within the limits of the bounds.
  virtual Hits within(const QueryBatch& batch, RowRange range) = 0;

 private:
  DeviceLimits limits_;
};

}  // namespace structhash::search::gpu
