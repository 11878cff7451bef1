#pragma once

#include "structhash/core/types.hpp"

namespace structhash {

/// Rows (or other consecutive numbers) begin .. end - 1.
struct RowRange {
  Index begin = 0;
  Index end = 0;
  Index size() const { return end - begin; }
};

}  // namespace structhash
