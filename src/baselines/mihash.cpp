#include "baselines/mihash.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "baselines/label_groups.hpp"
#include "baselines/ridge.hpp"
#include "core/linalg.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Distances of one query as histograms with linear soft assignment: a distance between two bin
/// centres is shared by both.
class QueryHistogram {
 public:
  QueryHistogram(Index bins, double width)
      : width_(width), related_(Vector<double>::Zero(bins)), other_(Vector<double>::Zero(bins)) {}

  void add(double distance, bool is_related) {
    const Index bin = lower(distance);
    const double above = distance / width_ - to_double(bin);
    Vector<double>& histogram = is_related ? related_ : other_;
    histogram(bin) += 1.0 - above;
    histogram(bin + 1) += above;
  }

  /// I in bits; afterwards `slope` gives its derivative by a distance.
  /// dI / dp+ = p(+) log2(p+ / p) and likewise for -: the entropies' constants cancel.
  double information() {
    const double count_related = related_.sum();
    const double count_other = other_.sum();
    total_ = count_related + count_other;
    if (!(count_related > 0.5 && count_other > 0.5)) {
      return -1.0;
    }
    double information = 0.0;
    for (Index bin = 0; bin < related_.size(); ++bin) {
      const double all = (related_(bin) + other_(bin)) / total_;
      const auto ratio = [&](double& count, double sum) {
        const double log = count > 0.0 ? std::log2(count / sum / all) : kEmpty;
        information += count / total_ * log;
        count = log;
      };
      if (all > 0.0) {
        ratio(related_(bin), count_related);
        ratio(other_(bin), count_other);
      }
    }
    return information;
  }

  double slope(double distance, bool is_related) const {
    const Index bin = lower(distance);
    const Vector<double>& logs = is_related ? related_ : other_;
    return (logs(bin + 1) - logs(bin)) / (width_ * total_);
  }

 private:
  static constexpr double kEmpty = -20.0;  // in place of log2(0), so that slopes stay finite

  Index lower(double distance) const {
    const auto bin = static_cast<Index>(distance / width_);
    return std::clamp<Index>(bin, 0, related_.size() - 2);
  }

  double width_;
  double total_ = 1.0;
  Vector<double> related_;  // counts, later the logarithms
  Vector<double> other_;
};

/// Adam (Kingma, Ba 2015): steps of about the rate in every coordinate.
class Adam {
 public:
  explicit Adam(Index rows, Index columns)
      : mean_(Matrix<float>::Zero(rows, columns)), square_(mean_) {}

  void ascend(Matrix<float>& point, const Matrix<float>& gradient, double rate) {
    ++steps_;
    mean_ += 0.1F * (gradient - mean_);
    square_ += 0.001F * (gradient.cwiseAbs2() - square_);
    const double steps = to_double(steps_);
    const auto scale = static_cast<float>(rate * std::sqrt(1.0 - std::pow(0.999, steps)) /
                                          (1.0 - std::pow(0.9, steps)));
    point.array() += scale * mean_.array() / (square_roots(square_.array()) + 1e-8F);
  }

 private:
  Matrix<float> mean_;
  Matrix<float> square_;
  Index steps_ = 0;
};

/// Weights over z with a constant column: bits x (columns of z).
Matrix<float> train_layer(const Matrix<float>& z, const LabelGroups& groups,
                          const MihashParams& params, const FitContext& context) {
  Rng rng(context.seed.fork("mihash"));
  Matrix<float> weights(params.bits, z.cols());
  for (float& weight : weights.reshaped<Eigen::RowMajor>()) {
    weight = static_cast<float>(rng.normal());
  }
  Adam adam(weights.rows(), weights.cols());
  std::vector<Index> order(static_cast<std::size_t>(z.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const Index batch = std::min(params.batch, z.rows());
  const Index steps = z.rows() / batch;
  const auto half_slope = static_cast<float>(0.5 * params.slope);
  for (Index epoch = 0; epoch < params.epochs; ++epoch) {
    rng.shuffle(order);
    double information = 0.0;
    const double rate =
        0.5 * params.rate *
        (1.0 + std::cos(std::numbers::pi * to_double(epoch) / to_double(params.epochs)));
    for (Index step = 0; step < steps; ++step) {
      const std::span rows(order.data() + step * batch, static_cast<std::size_t>(batch));
      const Matrix<float> x = z(std::vector<Index>(rows.begin(), rows.end()), Eigen::all);
      const Matrix<float> phi =
          (half_slope * product_abt(x, weights, context.threads)).array().tanh();
      Matrix<float> pull;
      information += mutual_information(phi, row_similarity(groups, rows), params.bins, pull);
      pull.array() *= half_slope * (1.0F - phi.array().square());
      adam.ascend(weights, product_atb(pull, x, context.threads).cast<float>(), rate);
      weights *= static_cast<float>(1.0 - rate * params.decay);
    }
    report(context.on_progress, {"training", to_double(epoch + 1), to_double(params.epochs),
                                 "information " + std::to_string(information / to_double(steps))});
  }
  return weights;
}

}  // namespace

double mutual_information(const Matrix<float>& phi, const Matrix<float>& related, Index bins,
                          Matrix<float>& gradient) {
  const Index n = phi.rows();
  const double bits = to_double(phi.cols());
  const double width = bits / to_double(bins);
  const Matrix<float> inner = product_abt(phi, phi, /*threads=*/1);
  Matrix<float> slopes = Matrix<float>::Zero(n, n);
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) {
    QueryHistogram histogram(bins + 1, width);
    const auto distance = [&](Index j) {
      return std::clamp(0.5 * (bits - static_cast<double>(inner(i, j))), 0.0, bits);
    };
    for (Index j = 0; j < n; ++j) {
      if (j != i) {
        histogram.add(distance(j), related(i, j) > 0.0F);
      }
    }
    const double information = histogram.information();
    if (information < 0.0) {
      continue;
    }
    sum += information;
    for (Index j = 0; j < n; ++j) {
      if (j != i) {
        slopes(i, j) = static_cast<float>(histogram.slope(distance(j), related(i, j) > 0.0F));
      }
    }
  }
  slopes = (slopes + Matrix<float>(slopes.transpose())).eval();  // dD / dphi_i = -phi_j / 2
  gradient = product(slopes, phi, /*threads=*/1) * (-0.5F / static_cast<float>(n));
  return sum / to_double(n);
}

/// phi = 2 sigmoid(slope W x) - 1, stochastic ascent of the mutual information of batches
/// (docs/methods.md C.18) over softly whitened features with a constant one for the offset.
HashModel fit_mihash(const TrainingSet& data, const MihashParams& params,
                     const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  const LabelGroups groups = group_labels(data.labels);
  const auto learn = [&](const RidgedFeatures& features) {
    return fit_whitened(features, features.z.cols(), [&](const Matrix<float>& white) {
      const double unit = 1.0 / std::sqrt(to_double(white.cols()));  // rows of about unit length
      Matrix<float> z(white.rows(), white.cols() + 1);
      z << static_cast<float>(unit) * white, Matrix<float>::Constant(white.rows(), 1, 0.1F);
      const Matrix<double> weights = train_layer(z, groups, params, context).cast<double>();
      return LinearFunctions{unit * weights.leftCols(white.cols()), 0.1 * weights.rightCols(1)};
    });
  };
  return make_model("mihash", kMihashOptions, params, context.seed,
                    fit_on_components(data, params.features, context, learn));
}

}  // namespace structhash
