#include <algorithm>
#include <numeric>

#include "learner/master_problem.hpp"
#include "learner/recorded_master.hpp"
#include "learner/shared_master.hpp"
#include "learner/weight_learner.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Share of the best weights known in the point that the oracle gets.
constexpr double kInner = 0.5;

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

class TotallyCorrective final : public WeightLearner {
 public:
  TotallyCorrective(const ListTable& lists, CuttingPlane first, double trade_off,
                    const WeightParams& params, Threads threads)
      : lists_(lists),
        params_(params),
        threads_(threads),
        trade_off_(trade_off),
        master_(std::make_unique<RecordedMaster>(
            make_shared_master(trade_off, lists.shards().processes()))) {
    check(params);
    add_plane({}, std::move(first));
    upper_ = solution_.objective;
    slack_ = solution_.slack;
  }

  std::vector<float> pair_weights() const override {
    return structhash::pair_weights(lists_, planes_, solution_.duals, threads_);
  }

  const std::vector<double>& weights() const override { return best_; }

  /// Cutting planes for Eq. (10), in-out stabilised (Ben-Ameur, Neto 2007): the oracle is called
  /// between the best weights known and the linear programme's.  Either the new plane cuts the
  /// latter off or the former improve; the gap between them shrinks either way.
  void add_bit(const CodeMatrix& codes, std::span<const std::int8_t> signs, BitLog& log) override {
    master_->add_bit(bit_coefficients(lists_, planes_, signs, threads_));
    best_.push_back(0.0);
    solution_ = master_->solve();
    log.stop = Stop::plane_limit;
    while (true) {
      if (upper_ - solution_.objective <= params_.gap * upper_) {
        log.stop = Stop::converged;
        break;
      }
      if (log.passes == params_.max_planes_per_bit) {
        break;
      }
      const double gap = upper_ - solution_.objective;
      const std::vector<double> weights = solution_.weights;
      cut(codes, log);
      // A degenerate programme moves to other weights first; from the same ones the oracle would
      // find the same plane again.
      if (upper_ - solution_.objective >= gap && solution_.weights == weights) {
        log.stop = Stop::stalled;
        break;
      }
    }
    log.objective = upper_;
    log.bound = solution_.objective;
    log.slack = slack_;
    drop_idle_planes();
    log.planes = std::ssize(planes_);
  }

  WeightState state() const override {
    WeightState state{.weights = best_,
                      .objective = upper_,
                      .slack = slack_,
                      .points = {},
                      .duals = solution_.duals,
                      .idle_bits = {idle_bits_.begin(), idle_bits_.end()},
                      .journal = master_->journal()};
    for (const CuttingPlane& plane : planes_) {
      state.points.push_back(plane.point);
    }
    return state;
  }

  void restore(const WeightState& state, const CodeMatrix& codes) override {
    master_ = std::make_unique<RecordedMaster>(
        make_shared_master(trade_off_, lists_.shards().processes()));
    solution_ = master_->replay(state.journal);
    solution_.duals = state.duals;
    best_ = state.weights;
    upper_ = state.objective;
    slack_ = state.slack;
    idle_bits_.assign(state.idle_bits.begin(), state.idle_bits.end());
    planes_.clear();
    for (const std::vector<double>& point : state.points) {
      planes_.push_back(most_violated_plane(lists_, codes, point, threads_).plane);
    }
  }

 private:
  void cut(const CodeMatrix& codes, BitLog& log) {
    std::vector<double> point(best_.size());
    for (std::size_t bit = 0; bit < point.size(); ++bit) {
      point[bit] = kInner * best_[bit] + (1.0 - kInner) * solution_.weights[bit];
    }
    ViolatedPlane found = most_violated_plane(lists_, codes, point, threads_);
    ++log.passes;
    const auto slack_at = [&](std::span<const double> weights) {
      return found.plane.loss -
             std::inner_product(weights.begin(), weights.end(), found.coefficients.begin(), 0.0);
    };
    const double slack = std::max(0.0, slack_at(point));
    log.violation = std::max(0.0, slack_at(solution_.weights) - solution_.slack);
    const double objective = sum(point) + trade_off_ * slack;
    if (objective < upper_) {
      upper_ = objective;
      slack_ = slack;
      best_ = std::move(point);
    }
    add_plane(found.coefficients, std::move(found.plane));
  }

  void add_plane(std::span<const double> coefficients, CuttingPlane plane) {
    master_->add_plane(coefficients, plane.loss);
    planes_.push_back(std::move(plane));
    idle_bits_.push_back(0);
    solution_ = master_->solve();
  }

  /// Planes without dual weight for several bits are redundant.
  void drop_idle_planes() {
    std::vector<Index> dropped;
    std::size_t kept = 0;
    for (std::size_t t = 0; t < planes_.size(); ++t) {
      idle_bits_[t] = solution_.duals[t] > 0.0 ? 0 : idle_bits_[t] + 1;
      if (idle_bits_[t] > params_.idle_bits) {
        dropped.push_back(static_cast<Index>(t));
        continue;
      }
      if (kept != t) {
        planes_[kept] = std::move(planes_[t]);
        idle_bits_[kept] = idle_bits_[t];
        solution_.duals[kept] = solution_.duals[t];
      }
      ++kept;
    }
    if (!dropped.empty()) {
      planes_.resize(kept);
      idle_bits_.resize(kept);
      solution_.duals.resize(kept);
      master_->drop_planes(dropped);
    }
  }

  const ListTable& lists_;
  WeightParams params_;
  Threads threads_;
  double trade_off_;
  std::unique_ptr<RecordedMaster> master_;
  std::vector<CuttingPlane> planes_;
  std::vector<std::int64_t> idle_bits_;  // per plane: bits since it last had dual weight
  MasterSolution solution_;
  std::vector<double> best_;  // the weights with the smallest true objective so far
  double upper_ = 0.0;        // that objective
  double slack_ = 0.0;        // and its slack
};

}  // namespace

void check(const WeightParams& params) {
  require(params.gap > 0.0 && params.gap < 1.0, "gap must lie between 0 and 1");
  require(params.max_planes_per_bit >= 1, "max-planes must be at least 1");
  require(params.idle_bits >= 0, "idle-bits must be at least 0");
}

WeightState WeightLearner::state() const {
  fail(Errc::usage, "this weight learner supports no checkpoints");
}

void WeightLearner::restore(const WeightState& /*state*/, const CodeMatrix& /*codes*/) {
  fail(Errc::usage, "this weight learner supports no checkpoints");
}

std::unique_ptr<WeightLearner> make_totally_corrective(const ListTable& lists, CuttingPlane first,
                                                       double trade_off, const WeightParams& params,
                                                       Threads threads) {
  return std::make_unique<TotallyCorrective>(lists, std::move(first), trade_off, params, threads);
}

}  // namespace structhash
