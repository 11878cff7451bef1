#include "learner/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/thread_team.hpp"
#include "hashing/lbfgs.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kRowsPerTask = 64;

/// FunctionMatrix of all bits as one point of L-BFGS: a row per feature, the offsets last.
using FunctionMatrix = Matrix<double>;

Eigen::Map<const FunctionMatrix> functions_at(const Eigen::VectorXd& point, Index bits) {
  return {point.data(), point.size() / bits, bits};
}

/// log(x_1 ... x_n) by n / 4 logarithms; products of four must be normal floats: x >= 1e-9.
double log_product(const Eigen::ArrayXf& x) {
  const Index n = x.size() / 4;
  const auto quarter = [&](Index i) { return x.segment(i * n, n); };
  const float most = (quarter(0) * quarter(1) * quarter(2) * quarter(3)).log().sum();
  return static_cast<double>(most + x.tail(x.size() - 4 * n).log().sum());
}

/// The smooth ranking loss and its gradient, for L-BFGS.
class JointLoss {
 public:
  JointLoss(const ListTable& lists, const HalfMatrix& z, std::span<const float> weights,
            const RefinementParams& params, Threads threads)
      : lists_(lists),
        z_(z),
        params_(params),
        threads_(threads),
        form_(pair_form(lists)),
        weights_(Eigen::Map<const Eigen::RowVectorXf>(weights.data(), std::ssize(weights))),
        scores_(static_cast<std::size_t>(lists.pairs())) {
    weights_ /= weights_.sum();
  }

  /// f_b of every row, not yet squashed.
  Matrix<float> responses(const FunctionMatrix& functions) const {
    const Matrix<float> directions = functions.topRows(z_.cols()).cast<float>();
    Matrix<float> values(z_.rows(), functions.cols());
    const Shards& shards = lists_.shards();
    for (Index shard = 0; shard < shards.count(); ++shard) {
      const RowRange rows = shards.rows(shard);
      values.middleRows(rows.begin, rows.size()) = z_.times(rows, directions, threads_);
    }
    values.rowwise() += functions.bottomRows(1).cast<float>().row(0);
    return values;
  }

  /// Scales every function to responses of unit mean square.
  void normalise(FunctionMatrix& functions) const {
    const Matrix<float> values = responses(functions);
    const Shards& shards = lists_.shards();
    const std::vector<double> squares =
        shards.sum(functions.cols(), [&](Index shard, std::span<double> part) {
          const RowRange rows = shards.rows(shard);
          Eigen::Map<Eigen::RowVectorXd>(part.data(), functions.cols()) =
              values.middleRows(rows.begin, rows.size()).cast<double>().colwise().squaredNorm();
        });
    for (Index bit = 0; bit < functions.cols(); ++bit) {
      const double mean = squares[static_cast<std::size_t>(bit)] / to_double(shards.all_rows());
      functions.col(bit) /= std::sqrt(std::max(mean, 1e-30));
    }
  }

  void stay_near(const FunctionMatrix& start) { start_ = start; }

  double operator()(const Eigen::VectorXd& point, Eigen::VectorXd& gradient) {
    const FunctionMatrix functions = functions_at(point, weights_.size());
    codes_ = responses(functions).array().tanh().matrix();
    Matrix<float> pull = Matrix<float>::Zero(codes_.rows(), codes_.cols());
    double loss = 0.0;
    for (Index part = 1; part <= params_.lengths; ++part) {
      set_length(functions.cols() * part / params_.lengths);
      loss += pair_losses() / params_.lengths;
      form_.set_weights(scores_, threads_);
      add_pull(pull);
    }
    const FunctionMatrix change = functions - start_;
    const double factor = params_.distance / to_double(functions.cols());
    const FunctionMatrix slopes = slopes_of(pull) + 2.0 * factor * change;
    gradient = slopes.reshaped<Eigen::RowMajor>();
    return loss + factor * change.squaredNorm();
  }

 private:
  /// Of the codes that the next losses are of: the first bits.
  void set_length(Index bits) {
    length_ = std::max<Index>(1, bits);
    part_weights_ =
        weights_.head(length_) /
        (length_ < weights_.size() ? std::max(weights_.head(length_).sum(), 1e-12F) : 1.0F);
  }

  /// Replaces the scores by the derivatives of the loss with respect to them.
  double pair_losses() {
    const auto& chunks = lists_.chunks();
    std::vector<double> losses(chunks.size());
    parallel_for(std::ssize(chunks), threads_, 1, [&](Index at, Index) {
      const ListChunk& chunk = chunks[static_cast<std::size_t>(at)];
      for (Index list = 0; list < chunk.lists; ++list) {
        losses[static_cast<std::size_t>(at)] += list_loss(chunk, list);
      }
    });
    const Shards& shards = lists_.shards();
    return shards.sum(1, [&](Index shard, std::span<double> part) {
      const RowRange range = lists_.chunks_of(shard);
      for (Index at = range.begin; at < range.end; ++at) {
        part[0] += losses[static_cast<std::size_t>(at)];
      }
    })[0];
  }

  double list_loss(const ListChunk& chunk, Index list) {
    const Index first = chunk.first_pair + list * chunk.items();
    const auto number = static_cast<std::size_t>(chunk.first_list + list);
    const Eigen::RowVectorXf query =
        codes_.row(lists_.queries()[number]).head(length_).cwiseProduct(part_weights_);
    Eigen::Map<Eigen::ArrayXf> scores(scores_.data() + first, chunk.items());
    for (Index item = 0; item < chunk.items(); ++item) {
      scores(item) = query.dot(
          codes_.row(lists_.items()[static_cast<std::size_t>(first + item)]).head(length_));
    }
    const auto slope = static_cast<float>(params_.slope);
    const double weight = lists_.weights()[number] / to_double(chunk.relevant * chunk.irrelevant);
    // With t = slope (s_k - s_j + margin), e^t is a product of two factors.
    const Eigen::ArrayXf relevant = (-slope * scores.head(chunk.relevant)).exp();
    const Eigen::ArrayXf irrelevant =
        (slope * (scores.tail(chunk.irrelevant) + static_cast<float>(params_.margin))).exp();
    Eigen::ArrayXf inverse(chunk.irrelevant);
    Eigen::ArrayXf kept = Eigen::ArrayXf::Zero(chunk.irrelevant);  // sum_j 1 / (1 + e^t)
    double loss = 0.0;
    for (Index j = 0; j < chunk.relevant; ++j) {
      inverse = (1.0F + relevant(j) * irrelevant).inverse();
      kept += inverse;
      loss -= log_product(inverse);
      const float right = inverse.sum();
      scores(j) =
          static_cast<float>(-weight) * slope * (static_cast<float>(chunk.irrelevant) - right);
    }
    scores.tail(chunk.irrelevant) =
        static_cast<float>(weight) * slope * (static_cast<float>(chunk.relevant) - kept);
    return weight * loss;
  }

  /// The gradient: with the derivatives g of the scores in the form, M = (g + g') / 2,
  ///
  ///   dH = 2 M H diag(w),   dV = Z' [ dH o (1 - H^2) ]
  void add_pull(Matrix<float>& pull) {
    parallel_for(codes_.rows(), threads_, kRowsPerTask, [&](Index begin, Index end) {
      Eigen::RowVectorXf sum(length_);
      for (Index row = begin; row < end; ++row) {
        const auto columns = form_.columns(row);
        const auto entries = form_.entries(row);
        sum.setZero();
        for (std::size_t i = 0; i < columns.size(); ++i) {
          sum += entries[i] * codes_.row(columns[i]).head(length_);
        }
        pull.row(row).head(length_).array() +=
            static_cast<float>(2.0 / params_.lengths) * sum.cwiseProduct(part_weights_).array() *
            (1.0F - codes_.row(row).head(length_).array().square());
      }
    });
  }

  FunctionMatrix slopes_of(const Matrix<float>& pull) const {
    const Shards& shards = lists_.shards();
    const Index size = (z_.cols() + 1) * codes_.cols();
    const std::vector<double> sums = shards.sum(size, [&](Index shard, std::span<double> part) {
      const RowRange rows = shards.rows(shard);
      const auto own = pull.middleRows(rows.begin, rows.size());
      Eigen::Map<FunctionMatrix> to(part.data(), z_.cols() + 1, codes_.cols());
      to.topRows(z_.cols()) = z_.transposed_times(rows, own, threads_);
      to.bottomRows(1) = own.cast<double>().colwise().sum();
    });
    return Eigen::Map<const FunctionMatrix>(sums.data(), z_.cols() + 1, codes_.cols());
  }

  const ListTable& lists_;
  const HalfMatrix& z_;
  const RefinementParams& params_;
  Threads threads_;
  PairForm form_;
  Eigen::RowVectorXf weights_;       // of the bits, sum 1
  Index length_ = 0;                 // bits that a loss counts
  Eigen::RowVectorXf part_weights_;  // of these bits, sum 1
  FunctionMatrix start_;
  Matrix<float> codes_;        // tanh of the responses
  std::vector<float> scores_;  // per pair
};

FunctionMatrix functions_of(std::span<const LearnedBit> bits, Index features) {
  FunctionMatrix functions(features + 1, std::ssize(bits));
  for (Index b = 0; b < functions.cols(); ++b) {
    const auto& function = std::get<LinearFunction>(bits[static_cast<std::size_t>(b)].function);
    functions.col(b) << function.direction, function.offset;
  }
  return functions;
}

std::vector<LearnedBit> bits_of(const FunctionMatrix& functions, const Matrix<float>& responses) {
  const Index features = functions.rows() - 1;
  std::vector<LearnedBit> bits(static_cast<std::size_t>(functions.cols()));
  for (Index b = 0; b < functions.cols(); ++b) {
    LearnedBit& bit = bits[static_cast<std::size_t>(b)];
    bit.function = LinearFunction{functions.col(b).head(features), functions(features, b)};
    for (const float response : responses.col(b)) {
      bit.signs.push_back(response > 0.0F ? std::int8_t{1} : std::int8_t{-1});
    }
  }
  return bits;
}

/// Weights of the distance that codes are compared by, on the scale of those that (10) learned.
std::vector<double> on_scale_of(std::span<const double> learned, std::span<const float> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double scale = std::accumulate(learned.begin(), learned.end(), 0.0) / sum;
  std::vector<double> scaled(weights.begin(), weights.end());
  std::ranges::for_each(scaled, [&](double& weight) { weight *= scale; });
  return scaled;
}

/// The slack of (10): the mean augmented loss of the most violated rankings.
double slack_of(std::span<const LearnedBit> bits, std::span<const double> weights,
                const ListTable& lists, Threads threads) {
  CodeMatrix codes(lists.rows(), std::ssize(bits));
  for (Index b = 0; b < codes.bits(); ++b) {
    set_column(codes, b, bits[static_cast<std::size_t>(b)].signs);
  }
  const ViolatedPlane violated = most_violated_plane(lists, codes, weights, threads);
  double slack = violated.plane.loss;
  for (std::size_t b = 0; b < weights.size(); ++b) {
    slack -= weights[b] * violated.coefficients[b];
  }
  return slack;
}

}  // namespace

void check(const RefinementParams& params) {
  require(params.iterations >= 0, "the number of refinement steps must not be negative");
  require(params.lengths >= 1, "the number of lengths that refinement counts must be at least 1");
}

LearnedCode refine(LearnedCode code, const ListTable& lists, const WhitenedFamily& family,
                   std::span<const float> weights, const RefinementParams& params,
                   Threads threads) {
  check(params);
  if (params.iterations == 0) {
    return code;
  }
  ThreadTeam team(threads.count());
  const Threads shared = threads.on(team);
  const HalfMatrix& z = family.features();
  JointLoss loss(lists, z, weights, params, shared);
  FunctionMatrix start = functions_of(code.bits, z.cols());
  loss.normalise(start);
  loss.stay_near(start);
  const auto value = [&](const Eigen::VectorXd& point, Eigen::VectorXd& gradient) {
    return loss(point, gradient);
  };
  const Eigen::VectorXd end = minimise(value, start.reshaped<Eigen::RowMajor>(),
                                       {.max_iterations = params.iterations,
                                        .memory = 8,
                                        .gradient = 1e-9,
                                        .relative_gradient = 1e-6,
                                        .line_search = LineSearch::bracketing});
  const FunctionMatrix functions = functions_at(end, std::ssize(code.bits));
  std::vector<LearnedBit> refined = bits_of(functions, loss.responses(functions));
  const std::vector<double> scaled = on_scale_of(code.weights, weights);
  if (functions.allFinite() &&
      slack_of(refined, scaled, lists, shared) < slack_of(code.bits, scaled, lists, shared)) {
    code.bits = std::move(refined);
    code.refined = true;
  }
  return code;
}

}  // namespace structhash
