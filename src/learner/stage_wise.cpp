#include <algorithm>
#include <limits>
#include <numeric>

#include "learner/weight_learner.hpp"

namespace structhash {
namespace {

/// A tangent of the objective in the weight t of the newest bit.
struct Tangent {
  double at = 0.0;
  double value = 0.0;
  double slope = 0.0;
};

/// Where two tangents of a convex function meet: the smallest value the two allow.
double meeting_point(const Tangent& left, const Tangent& right) {
  return (right.value - left.value + left.slope * left.at - right.slope * right.at) /
         (left.slope - right.slope);
}

class StageWise final : public WeightLearner {
 public:
  StageWise(const ListTable& lists, CuttingPlane first, double trade_off,
            const WeightParams& params, Threads threads)
      : lists_(lists), params_(params), threads_(threads), trade_off_(trade_off) {
    check(params);
    objective_ = trade_off * first.loss;
    slack_ = first.loss;
    plane_.push_back(std::move(first));
  }

  std::vector<float> pair_weights() const override {
    return structhash::pair_weights(lists_, plane_, std::vector{trade_off_}, threads_);
  }

  const std::vector<double>& weights() const override { return weights_; }

  /// min_{t >= 0}  ||w||_1 + t + C R(w + t e_b),  R the mean augmented loss: convex and piecewise
  /// linear in t.  Every oracle pass gives a tangent; the next t is where the steepest falling and
  /// rising ones meet.
  void add_bit(const CodeMatrix& codes, std::span<const std::int8_t> signs, BitLog& log) override {
    const double start = weights_.empty() ? 1.0 : total() / static_cast<double>(weights_.size());
    Tangent left{0.0, objective_,
                 1.0 - trade_off_ * bit_coefficients(lists_, plane_, signs, threads_)[0]};
    weights_.push_back(0.0);
    log.bound = objective_;
    if (left.slope < 0.0) {
      search(codes, left, start, log);
    }
    log.objective = objective_;
    log.slack = slack_;
    log.planes = 1;
  }

  WeightState state() const override {
    return {.weights = weights_,
            .objective = objective_,
            .slack = slack_,
            .points = {plane_[0].point},
            .duals = {},
            .idle_bits = {},
            .journal = {}};
  }

  void restore(const WeightState& state, const CodeMatrix& codes) override {
    weights_ = state.weights;
    objective_ = state.objective;
    slack_ = state.slack;
    plane_[0] = most_violated_plane(lists_, codes, state.points.at(0), threads_).plane;
  }

 private:
  static constexpr int kMaxPasses = 6;

  void search(const CodeMatrix& codes, Tangent left, double start, BitLog& log) {
    Tangent right{std::numeric_limits<double>::infinity(), 0.0, 0.0};
    double t = start;
    log.stop = Stop::plane_limit;
    while (log.passes < std::min(kMaxPasses, params_.max_planes_per_bit)) {
      const Tangent tangent = evaluate(codes, t, log);
      (tangent.slope < 0.0 ? left : right) = tangent;
      if (right.slope <= 0.0) {
        t = 2.0 * left.at;  // still falling: nothing on the right yet
        continue;
      }
      t = meeting_point(left, right);
      log.bound = left.value + left.slope * (t - left.at);
      if (objective_ - log.bound <= params_.gap * objective_) {
        log.stop = Stop::converged;
        break;
      }
    }
  }

  /// One oracle pass at weight t of the newest bit; keeps the best weight and its plane.
  Tangent evaluate(const CodeMatrix& codes, double t, BitLog& log) {
    std::vector<double> point = weights_;
    point.back() = t;
    ViolatedPlane found = most_violated_plane(lists_, codes, point, threads_);
    ++log.passes;
    const double slack =
        std::max(0.0, found.plane.loss - std::inner_product(point.begin(), point.end(),
                                                            found.coefficients.begin(), 0.0));
    const double value = std::accumulate(point.begin(), point.end(), 0.0) + trade_off_ * slack;
    const double slope = slack > 0.0 ? 1.0 - trade_off_ * found.coefficients.back() : 1.0;
    if (value < objective_) {
      objective_ = value;
      slack_ = slack;
      weights_ = std::move(point);
      plane_[0] = std::move(found.plane);
    }
    return {t, value, slope};
  }

  double total() const { return std::accumulate(weights_.begin(), weights_.end(), 0.0); }

  const ListTable& lists_;
  WeightParams params_;
  Threads threads_;
  double trade_off_;
  std::vector<CuttingPlane> plane_;  // one: the most violated at the current weights
  std::vector<double> weights_;
  double objective_ = 0.0;
  double slack_ = 0.0;
};

}  // namespace

std::unique_ptr<WeightLearner> make_stage_wise(const ListTable& lists, CuttingPlane first,
                                               double trade_off, const WeightParams& params,
                                               Threads threads) {
  return std::make_unique<StageWise>(lists, std::move(first), trade_off, params, threads);
}

}  // namespace structhash
