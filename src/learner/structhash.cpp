#include "structhash/learner/structhash.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "structhash/core/error.hpp"
#include "structhash/learner/cutting_plane.hpp"
#include "structhash/learner/master_problem.hpp"

namespace structhash {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The cutting-plane side of the method: planes, linear programme, best weights so far.
class Planes {
 public:
  Planes(const ListTable& lists, int threads) : lists_(lists), threads_(threads) {}

  void start(double trade_off, ViolatedPlane first) {
    trade_off_ = trade_off;
    master_ = make_clp_master(trade_off);
    planes_.push_back(std::move(first.plane));
    idle_.push_back(0);
    master_->add_plane({}, planes_.back().loss);
    solution_ = master_->solve();
    upper_ = solution_.objective;
  }

  std::vector<float> weights_of_pairs() const {
    return pair_weights(lists_, planes_, solution_.duals, threads_);
  }

  void add_bit(std::span<const std::int8_t> signs) {
    master_->add_bit(bit_coefficients(lists_, planes_, signs, threads_));
    best_.push_back(0.0);
    solution_ = master_->solve();
  }

  /// Cutting planes for Eq. (10), in-out stabilised (Ben-Ameur, Neto 2007): the oracle is asked
  /// half way between the best weights known and the linear programme's.  Either the new plane cuts
  /// the latter off, or the former improve: the gap shrinks either way.
  void tighten(const CodeMatrix& codes, const LearnerParams& params, BitLog& log) {
    while (upper_ - solution_.objective > params.gap * upper_ &&
           log.passes < params.max_planes_per_bit) {
      std::vector<double> point(best_.size());
      for (std::size_t bit = 0; bit < point.size(); ++bit) {
        point[bit] = kInner * best_[bit] + (1.0 - kInner) * solution_.weights[bit];
      }
      ViolatedPlane cut = most_violated_plane(lists_, codes, point, threads_);
      ++log.passes;
      const double slack = std::max(0.0, cut.plane.loss - dot(cut.coefficients, point));
      const double objective =
          std::accumulate(point.begin(), point.end(), 0.0) + trade_off_ * slack;
      if (objective < upper_) {
        upper_ = objective;
        best_ = point;
        best_slack_ = slack;
      }
      master_->add_plane(cut.coefficients, cut.plane.loss);
      planes_.push_back(std::move(cut.plane));
      idle_.push_back(0);
      solution_ = master_->solve();
    }
    log.objective = upper_;
    log.bound = solution_.objective;
    log.slack = best_slack_;
    drop_idle(params.idle_bits);
    log.planes = std::ssize(planes_);
  }

  const std::vector<double>& best() const { return best_; }

 private:
  static constexpr double kInner = 0.5;

  void drop_idle(int limit) {
    std::vector<Index> dropped;
    std::size_t kept = 0;
    for (std::size_t t = 0; t < planes_.size(); ++t) {
      idle_[t] = solution_.duals[t] > 0.0 ? 0 : idle_[t] + 1;
      if (idle_[t] > limit) {
        dropped.push_back(static_cast<Index>(t));
        continue;
      }
      if (kept != t) {
        planes_[kept] = std::move(planes_[t]);
        idle_[kept] = idle_[t];
        solution_.duals[kept] = solution_.duals[t];
      }
      ++kept;
    }
    if (!dropped.empty()) {
      planes_.resize(kept);
      idle_.resize(kept);
      solution_.duals.resize(kept);
      master_->drop_planes(dropped);
    }
  }

  const ListTable& lists_;
  int threads_;
  double trade_off_ = 0.0;
  std::unique_ptr<MasterProblem> master_;
  std::vector<CuttingPlane> planes_;
  std::vector<int> idle_;
  MasterSolution solution_;
  std::vector<double> best_;
  double best_slack_ = 1.0;
  double upper_ = 0.0;
};

PairForm make_form(const ListTable& lists) {
  std::vector<std::int32_t> left;
  left.reserve(static_cast<std::size_t>(lists.pairs()));
  for (const ListChunk& chunk : lists.chunks()) {
    for (Index list = 0; list < chunk.lists; ++list) {
      left.insert(left.end(), static_cast<std::size_t>(chunk.items()),
                  lists.queries()[static_cast<std::size_t>(chunk.first_list + list)]);
    }
  }
  return {lists.rows(), left, lists.items()};
}

}  // namespace

void check(const LearnerParams& params) {
  require(params.bits >= 1, "bits must be at least 1");
  require(params.trade_off > 1.0 && std::isfinite(params.trade_off),
          "the trade-off C must be greater than 1 (times its smallest useful value)");
  require(params.gap > 0.0 && params.gap < 1.0, "gap must lie between 0 and 1");
  require(params.max_planes_per_bit >= 1 && params.idle_bits >= 0,
          "max_planes_per_bit must be at least 1 and idle_bits at least 0");
}

LearnedCode learn(const ListTable& lists, const HashFamily& family, const LearnerParams& params,
                  Seed seed, int threads, const ProgressCallback& on_progress) {
  check(params);
  LearnedCode code;
  CodeMatrix codes(lists.rows(), params.bits);
  PairForm form = make_form(lists);
  Planes planes(lists, threads);
  // At w = 0 every ranking is most violated with all irrelevant items first.
  ViolatedPlane first = most_violated_plane(lists, codes, {}, threads);
  const std::vector<CuttingPlane> start{first.plane};

  for (Index b = 0; b < params.bits; ++b) {
    report(on_progress, {"training", real(b), real(params.bits), ""});
    // Column generation, Eq. (14): the bit whose dual constraint (12b) is violated most.
    form.set_weights(
        b == 0 ? pair_weights(lists, start, std::vector{1.0}, threads) : planes.weights_of_pairs(),
        threads);
    LearnedBit bit = family.best(form, seed.fork(static_cast<std::uint64_t>(b)), threads);
    if (b == 0) {  // C_min = 1 / edge: below it all weights stay zero
      require(bit.edge > 0.0, "no hash function separates relevant from irrelevant items");
      code.trade_off = params.trade_off / bit.edge;
      planes.start(code.trade_off, std::move(first));
    }
    for (Index row = 0; row < lists.rows(); ++row) {
      codes.set(row, b, bit.signs[static_cast<std::size_t>(row)] > 0);
    }
    planes.add_bit(bit.signs);
    code.log.push_back({.edge = bit.edge});
    code.bits.push_back(std::move(bit));
    planes.tighten(codes, params, code.log.back());
  }
  code.weights = planes.best();
  return code;
}

}  // namespace structhash
