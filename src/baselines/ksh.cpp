#include "baselines/ksh.hpp"

#include <cmath>

#include "baselines/label_groups.hpp"
#include "baselines/lanczos.hpp"
#include "baselines/ridge.hpp"
#include "core/linalg.hpp"
#include "hashing/lbfgs.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kLanczosSteps = 60;

/// R = B S - sum_b y_b y_b': the part of the label similarity S that the bits so far leave.  S is
/// one of groups of equal labels, so a product with R costs rows x bits.
class Residual {
 public:
  Residual(const LabelGroups& groups, Index bits)
      : groups_(groups),
        bits_(to_double(bits)),
        similarity_(bits_ * groups.overlaps.cast<double>()) {}

  void subtract(const Vector<float>& signs) { signs_.push_back(signs); }

  Vector<float> multiply(const Vector<float>& y) const {
    Matrix<double> sums = Matrix<double>::Zero(groups_.count(), 1);
    for (Index row = 0; row < y.size(); ++row) {
      sums(group(row), 0) += static_cast<double>(y(row));
    }
    const Matrix<double> pulls = similar(sums);
    Vector<float> result(y.size());
    for (Index row = 0; row < y.size(); ++row) {
      result(row) = static_cast<float>(pulls(group(row), 0));
    }
    for (const Vector<float>& signs : signs_) {
      result -= static_cast<float>(signs.cast<double>().dot(y.cast<double>())) * signs;
    }
    return result;
  }

  /// Z' R Z for features Z; every later bit y subtracts (Z'y)(Z'y)'.
  Matrix<double> between(const Matrix<float>& z) const {
    const Matrix<double> sums = group_sums(groups_, z);
    return sums.transpose() * similar(sums);
  }

 private:
  /// B S sums; of classes S = 2 I - 1 1'.
  Matrix<double> similar(const Matrix<double>& sums) const {
    if (similarity_.size() > 0) {
      return similarity_ * sums;
    }
    return bits_ * ((2.0 * sums).rowwise() - sums.colwise().sum());
  }
  Index group(Index row) const { return groups_.group[static_cast<std::size_t>(row)]; }

  const LabelGroups& groups_;
  double bits_;
  Matrix<double> similarity_;  // B S; empty for classes
  std::vector<Vector<float>> signs_;
};

Vector<float> signs_of(const Vector<float>& values) {
  return values.unaryExpr([](float value) { return value > 0.0F ? 1.0F : -1.0F; });
}

/// The smooth problem of one bit, negated:  -1/n y' R y,  y = tanh(Z a / 2).
class SmoothBit {
 public:
  SmoothBit(const Matrix<float>& z, const Residual& residual, Threads threads)
      : z_(z), residual_(residual), threads_(threads) {}

  Vector<float> values(const Eigen::VectorXd& a) const {
    Vector<float> values;
    matrix_vector(z_, a.cast<float>(), values, threads_);
    return values;
  }

  double discrete(const Eigen::VectorXd& a) const {
    const Vector<float> signs = signs_of(values(a));
    return signs.cast<double>().dot(residual_.multiply(signs).cast<double>());
  }

  double operator()(const Eigen::VectorXd& a, Eigen::VectorXd& gradient) const {
    const Vector<float> y = (0.5F * values(a)).array().tanh().matrix();
    Vector<float> pull = residual_.multiply(y);
    const double value = y.cast<double>().dot(pull.cast<double>());
    pull.array() *= 1.0F - y.array().square();
    Vector<float> back;
    transposed_vector(z_, pull, back, threads_);
    gradient = -back.cast<double>() / to_double(z_.rows());
    return -value / to_double(z_.rows());
  }

 private:
  const Matrix<float>& z_;
  const Residual& residual_;
  Threads threads_;
};

Eigen::VectorXd refine(const SmoothBit& problem, const Eigen::VectorXd& start, Index iterations) {
  return minimise(problem, start,
                  {.max_iterations = static_cast<int>(iterations),
                   .relative_gradient = 1e-4,
                   .past = 3,
                   .improvement = 1e-3});
}

/// Greedy bits over features of unit covariance (docs/methods.md C.12).
Matrix<double> greedy_bits(const Matrix<float>& z, const LabelGroups& groups,
                           const KshParams& params, const FitContext& context) {
  Residual residual(groups, params.bits);
  Matrix<double> relaxed = residual.between(z);
  Matrix<double> directions(params.bits, z.cols());
  for (Index bit = 0; bit < params.bits; ++bit) {
    const SmoothBit problem(z, residual, context.threads);
    const Seed stream = context.seed.fork("ksh").fork(static_cast<std::uint64_t>(bit));
    const Eigen::VectorXd start = top_eigenvector(
        z.cols(), [&](const Vector<double>& v) -> Vector<double> { return relaxed * v; },
        kLanczosSteps, stream);
    const double length = std::sqrt(problem.values(start).cast<double>().squaredNorm());
    Eigen::VectorXd best = length > 0.0 ? start * (std::sqrt(to_double(z.rows())) / length) : start;
    const Eigen::VectorXd refined = refine(problem, best, params.iterations);
    if (refined.allFinite() && problem.discrete(refined) > problem.discrete(best)) {
      best = refined;
    }
    const Vector<float> signs = signs_of(problem.values(best));
    Vector<float> along;
    transposed_vector(z, signs, along, context.threads);
    relaxed -= along.cast<double>() * along.cast<double>().transpose();
    residual.subtract(signs);
    directions.row(bit) = best;
    report(context.on_progress, {"training", to_double(bit + 1), to_double(params.bits), {}});
  }
  return directions;
}

}  // namespace

/// min || B S - sum_b y_b y_b' ||^2,  y_b = sign(K a_b).  With K along its principal directions,
/// each of variance + ridge = 1, the generalised eigenproblem of every bit is an ordinary one.
HashModel fit_ksh(const TrainingSet& data, const KshParams& params, const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  const LabelGroups groups = group_labels(data.labels);
  const auto learn = [&](const RidgedFeatures& features) {
    return fit_whitened(features, features.z.cols(), [&](const Matrix<float>& white) {
      return LinearFunctions{greedy_bits(white, groups, params, context),
                             Vector<double>::Zero(params.bits)};
    });
  };
  return make_model("ksh", kKshOptions, params, context.seed,
                    fit_on_components(data, params.features, context, learn));
}

}  // namespace structhash
