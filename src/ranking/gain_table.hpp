#pragma once

#include "structhash/core/types.hpp"

/// Ranking measures as tables of gains (docs/methods.md B.1, docs/adr/0005).
///
///   P, N   relevant and irrelevant items of a list
///   j      1..P, the j-th relevant item from the top
///   i_j    irrelevant items before it, 0 <= i_1 <= ... <= i_P <= N; its rank is j + i_j
namespace structhash {

/// Maximal number of items of one kind in a list: counts of inversions are 16-bit, and compared as
/// signed numbers.
inline constexpr Index kMaxListSide = 32'767;

/// A ranking measure is a table of gains.  With P relevant and N irrelevant items
///
///   score(y) = sum_{j=1..P} gain(j, i_j, P, N)
///
/// so a ranking y matters only through the counts i_1 <= ... <= i_P.
class RankingMeasure {
 public:
  virtual ~RankingMeasure() = default;

  /// j in 1..P, i in 0..N; P and N at most kMaxListSide.  At least 0, non-increasing in i, and
  /// sum_j gain(j, 0) = 1: the perfect ranking scores 1, so a cut-off K counts as min(K, P) (B.5).
  virtual double gain(Index j, Index i, Index P, Index N) const = 0;

  /// True only where gain = (N - i) / (P N): pairs decouple and comparing replaces the programme.
  virtual bool counts_pairs() const { return false; }
};

/// The gains of one measure for one list size; built once per distinct (P, N) and shared by lists.
class GainTable {
 public:
  /// Throws Errc::usage for sizes outside 1..kMaxListSide and for a measure that breaks the
  /// contract of RankingMeasure::gain.
  GainTable(const RankingMeasure& measure, Index relevant, Index irrelevant);

  Index relevant() const { return gains_.rows(); }
  Index irrelevant() const { return gains_.cols() - 1; }
  bool counts_pairs() const { return counts_pairs_; }
  double operator()(Index j, Index i) const { return gains_(j - 1, i); }

  /// The gain in the unit of the row oracle, one pair: gain * P N / 2 (ranking/row_oracle.hpp).
  double in_pairs(Index j, Index i) const { return pair_gains_(j - 1, i); }

  /// The whole tables, P x (N + 1), for the kernels.
  const Matrix<double>& gains() const { return gains_; }
  const Matrix<double>& pair_gains() const { return pair_gains_; }

 private:
  Matrix<double> gains_;
  Matrix<double> pair_gains_;
  bool counts_pairs_;
};

}  // namespace structhash
