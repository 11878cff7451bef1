#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "structhash/core/container.hpp"
#include "structhash/core/types.hpp"

namespace structhash {

/// Decision stumps (docs/methods.md A.9): bit b of x is [ x(columns[b]) > thresholds[b] ].
struct StumpEncoder {
  static constexpr std::string_view kName = "stump";

  Index inputs = 0;                   // columns of the feature vectors
  std::vector<std::int32_t> columns;  // bits; in 0..inputs-1
  std::vector<float> thresholds;      // bits

  Index bits() const { return static_cast<Index>(columns.size()); }
  Index dimension() const { return inputs; }
  void check() const;
  /// x(column) - threshold: a difference of floats is > 0 exactly when it should be.
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static StumpEncoder load(const Container& file);

  bool operator==(const StumpEncoder&) const = default;
};

}  // namespace structhash
