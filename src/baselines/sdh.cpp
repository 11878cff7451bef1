#include "baselines/sdh.hpp"

#include <cmath>

#include "baselines/label_groups.hpp"
#include "baselines/ridge.hpp"
#include "core/decompositions.hpp"
#include "core/linalg.hpp"
#include "data/label_indicator.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

Matrix<float> random_signs(Index rows, Index columns, Seed seed) {
  Rng rng(seed);
  Matrix<float> signs(rows, columns);
  for (float& sign : signs.reshaped<Eigen::RowMajor>()) {
    sign = rng.uniform() < 0.5 ? -1.0F : 1.0F;
  }
  return signs;
}

/// Labels Y, rows x labels.  Classes are sums and look-ups by class, without a matrix.
class LabelMatrix {
 public:
  explicit LabelMatrix(const Labels& labels) {
    if (labels.is_multi()) {
      indicator_ = label_indicator(labels);
    } else {
      groups_ = group_labels(labels);
    }
  }

  /// S'Y: bits x labels.
  Matrix<double> moments(const Matrix<float>& signs, Threads threads) const {
    if (indicator_.size() > 0) {
      return product_atb(signs, indicator_, threads);
    }
    return group_sums(groups_, signs).transpose();
  }

  /// Y W': rows x bits.
  Matrix<float> times(const Matrix<float>& w, Threads threads) const {
    if (indicator_.size() > 0) {
      return product_abt(indicator_, w, threads);
    }
    return w(Eigen::all, groups_.group).transpose();
  }

 private:
  Matrix<float> indicator_;  // of rows with several labels
  LabelGroups groups_;       // of rows with one
};

/// W = (S'S + lambda I)^-1 S'Y: the classifier from codes to labels, bits x labels.
Matrix<float> classifier(const Matrix<float>& signs, const LabelMatrix& y, double penalty,
                         Threads threads) {
  Matrix<double> gram = product_atb(signs, signs, threads);
  gram.diagonal().array() += penalty;
  return Cholesky(gram).solve(y.moments(signs, threads)).cast<float>();
}

/// One pass over the bits:  column k <- sign(q_k - S_{-k} W_{-k} w_k),  Q = Y W' + nu F.
/// S W w_k = S (W W')_k takes rows x bits numbers, whatever the number of labels.
/// A zero keeps its sign.  Returns how many signs changed.
Index descend(Matrix<float>& signs, const Matrix<float>& q, const Matrix<float>& w) {
  const Matrix<float> gram = w * w.transpose();
  Index changed = 0;
  for (Index k = 0; k < signs.cols(); ++k) {
    const Vector<float> others = signs * gram.col(k) - gram(k, k) * signs.col(k);
    for (Index row = 0; row < signs.rows(); ++row) {
      const float target = q(row, k) - others(row);
      const float old = signs(row, k);
      if (target * old < 0.0F) {
        signs(row, k) = -old;
        ++changed;
      }
    }
  }
  return changed;
}

}  // namespace

/// min ||Y - S W||^2 + lambda ||W||^2 + nu ||S - F(X)||^2,  S in +-1, alternating over W, S and F
/// (docs/methods.md C.15).
HashModel fit_sdh(const TrainingSet& data, const SdhParams& params, const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  const LabelMatrix y(data.labels);
  const auto learn = [&](const RidgedFeatures& features) {
    const Matrix<float>& z = features.z;
    Matrix<float> signs = random_signs(z.rows(), params.bits, context.seed.fork("sdh"));
    LinearFunctions functions = ridge_regression(features, signs, context.threads);
    for (Index round = 0; round < params.rounds; ++round) {
      const Matrix<float> w = classifier(signs, y, params.penalty, context.threads);
      const Matrix<float> q =
          y.times(w, context.threads) +
          static_cast<float>(params.attachment) * apply(functions, z, context.threads);
      for (Index pass = 0; pass < params.passes && descend(signs, q, w) > 0; ++pass) {
        context.threads.stop_if_asked();
      }
      functions = ridge_regression(features, signs, context.threads);
      report(context.on_progress, {"training", to_double(round + 1), to_double(params.rounds), {}});
    }
    return functions;
  };
  return make_model("sdh", kSdhOptions, params, context.seed,
                    fit_on_components(data, params.features, context, learn));
}

}  // namespace structhash
