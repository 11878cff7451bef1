#include "ranking/training_loss.hpp"

#include "ranking/training_gains.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

class WithAuc final : public RankingMeasure {
 public:
  WithAuc(std::unique_ptr<RankingMeasure> measure, double share)
      : measure_(std::move(measure)), auc_(training::auc(0)), share_(share) {}

  double gain(Index j, Index i, Index P, Index N) const override {
    return (1.0 - share_) * measure_->gain(j, i, P, N) + share_ * auc_->gain(j, i, P, N);
  }

 private:
  std::unique_ptr<RankingMeasure> measure_;
  std::unique_ptr<RankingMeasure> auc_;
  double share_;
};

}  // namespace

std::unique_ptr<RankingMeasure> make_training_measure(std::string_view name,
                                                      const TrainingLoss& loss) {
  require(loss.auc >= 0.0 && loss.auc <= 1.0, "the share of AUC must be 0 to 1");
  std::unique_ptr<RankingMeasure> measure = make_measure(name, loss.listed);
  if (measure->counts_pairs() || loss.auc == 0.0) {
    return measure;
  }
  return loss.auc == 1.0 ? training::auc(0)
                         : std::make_unique<WithAuc>(std::move(measure), loss.auc);
}

}  // namespace structhash
