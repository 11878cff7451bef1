#include "ranking/training_gains.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ranking/discount.hpp"
#include "structhash/core/error.hpp"
#include "structhash/ranking/measures.hpp"

/// In every gain below the j-th relevant item is at rank j + i, with i irrelevant items before it.
/// A cut-off K counts as min(K, P), or the perfect ranking would have a loss (docs/methods.md B.5).
// Differs from [Lin14]: Eq. (20) and (21) divide by K even where K > P.
namespace structhash {
namespace {

/// Area under the ROC curve, Eq. (19): the share of pairs in the right order.
class Auc final : public RankingMeasure {
 public:
  double gain(Index /*j*/, Index i, Index P, Index N) const override {
    return to_double(N - i) / (to_double(P) * to_double(N));
  }
  bool counts_pairs() const override { return true; }
};

/// Normalised discounted cumulative gain, with the discount of Eq. (21) or the standard one;
/// ideal_(p) = discount(1) + ... + discount(p).
class Ndcg final : public RankingMeasure {
 public:
  Ndcg(Index cutoff, Discount discount)
      : cutoff_(cutoff),
        discount_(discount),
        ideal_(discount_sums(discount, std::min(cutoff, kMaxListSide))) {}

  double gain(Index j, Index i, Index P, Index /*N*/) const override {
    const Index cutoff = std::min(cutoff_, P);
    const Index rank = j + i;
    return rank <= cutoff ? discount_(rank) / ideal_(cutoff) : 0.0;
  }

 private:
  Index cutoff_;
  Discount discount_;
  Vector<double> ideal_;
};

/// NDCG with each relevant item discounted by its rank among the irrelevant ones only, our reading
/// of the journal paper's simplified loss (docs/methods.md A.16): every item is then free of the
/// others.
class IrrelevantRankNdcg final : public RankingMeasure {
 public:
  double gain(Index /*j*/, Index i, Index P, Index /*N*/) const override {
    return discount_standard(1 + i) / (to_double(P) * discount_standard(1));
  }
};

/// Precision at K, Eq. (20).
class Precision final : public RankingMeasure {
 public:
  explicit Precision(Index cutoff) : cutoff_(cutoff) {}
  double gain(Index j, Index i, Index P, Index /*N*/) const override {
    const Index cutoff = std::min(cutoff_, P);
    return j + i <= cutoff ? 1.0 / to_double(cutoff) : 0.0;
  }

 private:
  Index cutoff_;
};

/// Recall at K, over the min(K, P) items that can be found there at best.
class Recall final : public RankingMeasure {
 public:
  explicit Recall(Index cutoff) : cutoff_(cutoff) {}
  double gain(Index j, Index i, Index P, Index /*N*/) const override {
    return j + i <= cutoff_ ? 1.0 / to_double(std::min(cutoff_, P)) : 0.0;
  }

 private:
  Index cutoff_;
};

/// Average precision, Eq. (22): precision at the rank of every relevant item.
class AveragePrecision final : public RankingMeasure {
 public:
  double gain(Index j, Index i, Index P, Index /*N*/) const override {
    return to_double(j) / to_double(j + i) / to_double(P);
  }
};

/// Reciprocal rank of the first relevant item.
class ReciprocalRank final : public RankingMeasure {
 public:
  double gain(Index j, Index i, Index /*P*/, Index /*N*/) const override {
    return j == 1 ? 1.0 / to_double(1 + i) : 0.0;
  }
};

std::vector<std::string> trainable_names() {
  std::vector<std::string> names;
  for (const MeasureEntry& entry : measures()) {
    if (entry.gains != nullptr) {
      names.push_back(training_spelling(entry));
    }
  }
  return names;
}

Index checked(Index cutoff) {
  require(cutoff >= 1, "the cut-off of a ranking measure must be at least 1");
  return cutoff;
}

}  // namespace

namespace training {

std::unique_ptr<RankingMeasure> auc(Index /*cutoff*/) {
  return std::make_unique<Auc>();
}

std::unique_ptr<RankingMeasure> ndcg(Index cutoff) {
  return std::make_unique<Ndcg>(checked(cutoff), discount_standard);
}

std::unique_ptr<RankingMeasure> ndcg_paper(Index cutoff) {
  return std::make_unique<Ndcg>(checked(cutoff), discount_paper);
}

std::unique_ptr<RankingMeasure> ndcg_simple(Index /*cutoff*/) {
  return std::make_unique<IrrelevantRankNdcg>();
}

std::unique_ptr<RankingMeasure> precision(Index cutoff) {
  return std::make_unique<Precision>(checked(cutoff));
}

std::unique_ptr<RankingMeasure> recall(Index cutoff) {
  return std::make_unique<Recall>(checked(cutoff));
}

std::unique_ptr<RankingMeasure> average_precision(Index /*cutoff*/) {
  return std::make_unique<AveragePrecision>();
}

std::unique_ptr<RankingMeasure> reciprocal_rank(Index /*cutoff*/) {
  return std::make_unique<ReciprocalRank>();
}

}  // namespace training

std::unique_ptr<RankingMeasure> make_measure(std::string_view name, double listed) {
  require(listed > 0.0 && listed <= 1.0, "the listed share of items must be above 0 and at most 1");
  const NamedMeasure measure = parse_measure(name);
  const MeasureEntry& entry = *measure.entry;
  if (entry.gains == nullptr) {
    fail(Errc::usage, fmt::format("measure '{}' can only be evaluated; train for one of {}", name,
                                  fmt::join(trainable_names(), ", ")));
  }
  require(entry.cutoff != CutOff::optional || measure.cutoff == 0,
          fmt::format("measure '{}': training for {} takes no cut-off; write {}", name, entry.name,
                      entry.name));
  return entry.gains(std::max<Index>(1, std::llround(listed * to_double(measure.cutoff))));
}

}  // namespace structhash
