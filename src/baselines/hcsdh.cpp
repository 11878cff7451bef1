#include "baselines/hcsdh.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "baselines/label_groups.hpp"
#include "baselines/ridge.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Vectors over GF(2), held in echelon form.
class XorBasis {
 public:
  /// Adds the vector unless the others span it already; true if it was added.
  bool add(std::uint64_t vector) {
    for (const std::uint64_t other : vectors_) {
      vector = std::min(vector, vector ^ other);
    }
    if (vector == 0) {
      return false;
    }
    vectors_.push_back(vector);
    std::ranges::sort(vectors_, std::greater{});
    return true;
  }
  int rank() const { return static_cast<int>(vectors_.size()); }

 private:
  std::vector<std::uint64_t> vectors_;  // descending, with different leading bits
};

/// Distinct rows, none of them row 0, which is constant: independent ones first, then any.
std::vector<std::uint64_t> spread_rows(Index classes, Index size, Rng& rng) {
  const int full_rank = std::countr_zero(static_cast<std::uint64_t>(size));
  XorBasis basis;
  std::vector<std::uint64_t> rows;
  while (std::ssize(rows) < classes) {
    const auto row = static_cast<std::uint64_t>(1 + rng.below(size - 1));
    const bool fits =
        basis.rank() < full_rank ? basis.add(row) : std::ranges::find(rows, row) == rows.end();
    if (fits) {
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace

///   H(r, k) = (-1)^popcount(r AND k)      Sylvester's construction
///
/// Column 0 is constant and used only when all columns are needed; fewer bits than columns are a
/// random choice of the others.
Matrix<float> hadamard_codes(Index classes, Index bits, Seed seed) {
  require(classes >= 1 && bits >= 1, "hadamard_codes: there must be classes and bits");
  const auto size = static_cast<Index>(
      std::bit_ceil(static_cast<std::uint64_t>(std::max({bits, classes + 1, Index{2}}))));
  Rng rng(seed);
  const std::vector<std::uint64_t> rows = spread_rows(classes, size, rng);
  std::vector<Index> columns = sample_without_replacement(size - 1, std::min(bits, size - 1), rng);
  for (Index& column : columns) {
    ++column;
  }
  if (bits == size) {
    columns.push_back(0);
  }
  std::ranges::sort(columns);
  Matrix<float> codes(classes, bits);
  for (Index row = 0; row < classes; ++row) {
    for (Index bit = 0; bit < bits; ++bit) {
      const auto column = static_cast<std::uint64_t>(columns[static_cast<std::size_t>(bit)]);
      const bool odd = std::popcount(rows[static_cast<std::size_t>(row)] & column) % 2 != 0;
      codes(row, bit) = odd ? -1.0F : 1.0F;
    }
  }
  return codes;
}

/// Every class gets its code; ridge regression carries the features there (docs/methods.md C.16).
HashModel fit_hcsdh(const TrainingSet& data, const HcsdhParams& params, const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  if (data.labels.is_multi()) {
    fail(Errc::bad_data,
         "labels: hcsdh gives every class a code and needs one class per row, not several labels; "
         "sdh learns from such labels");
  }
  const LabelGroups groups = group_labels(data.labels);
  const Matrix<float> codes =
      hadamard_codes(groups.count(), params.bits, context.seed.fork("hadamard"));
  const Matrix<float> targets = codes(groups.group, Eigen::all);
  Fitted fitted =
      fit_on_components(data, params.features, context, [&](const RidgedFeatures& features) {
        return ridge_regression(features, targets, context.threads);
      });
  report(context.on_progress, {"training", to_double(params.bits), to_double(params.bits), {}});
  return make_model("hcsdh", kHcsdhOptions, params, context.seed, std::move(fitted));
}

}  // namespace structhash
