#include "ranking/gain_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr double kTolerance = 1e-9;  // of the contract; sums of up to kMaxListSide gains

void check_size(Index items, std::string_view kind) {
  require(items >= 1 && items <= kMaxListSide,
          fmt::format("a list needs 1 to {} {} items, got {}", kMaxListSide, kind, items));
}

void check_row(const Matrix<double>& gains, Index j) {
  for (Index i = 0; i < gains.cols(); ++i) {
    const double gain = gains(j - 1, i);
    if (!(std::isfinite(gain) && gain >= 0.0)) {
      fail(Errc::usage,
           fmt::format("ranking measure: gain({}, {}) is {}; a gain must be finite and at least 0",
                       j, i, gain));
    }
    if (i > 0 && gain > gains(j - 1, i - 1) + kTolerance) {
      fail(Errc::usage, fmt::format("ranking measure: gain({0}, {1}) = {2} is above gain({0}, {3}) "
                                    "= {4}; a gain must not rise with more irrelevant items before",
                                    j, i, gain, i - 1, gains(j - 1, i - 1)));
    }
  }
}

}  // namespace

GainTable::GainTable(const RankingMeasure& measure, Index relevant, Index irrelevant)
    : counts_pairs_(measure.counts_pairs()) {
  check_size(relevant, "relevant");
  check_size(irrelevant, "irrelevant");
  gains_.resize(relevant, irrelevant + 1);
  for (Index j = 1; j <= relevant; ++j) {
    for (Index i = 0; i <= irrelevant; ++i) {
      gains_(j - 1, i) = measure.gain(j, i, relevant, irrelevant);
    }
    check_row(gains_, j);
  }
  const double perfect = gains_.col(0).sum();
  require(std::abs(perfect - 1.0) <= kTolerance,
          fmt::format("ranking measure: the perfect ranking of {} relevant and {} irrelevant items "
                      "scores {}; gains with no irrelevant item before must sum to 1",
                      relevant, irrelevant, perfect));
  pair_gains_ = gains_ * (to_double(relevant) * to_double(irrelevant) / 2.0);
}

}  // namespace structhash
