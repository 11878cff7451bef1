#include "baselines/cosdish.hpp"

#include <algorithm>
#include <cmath>

#include "baselines/label_groups.hpp"
#include "baselines/ridge.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

float random_sign(Rng& rng) {
  return rng.uniform() < 0.5 ? -1.0F : 1.0F;
}

/// Pairs of related rows for each pair of others: the weight of the latter, which gives both kinds
/// of pairs the same total weight.
float balance_of(const LabelGroups& groups) {
  const auto size = [&](Index group) {
    return to_double(std::ssize(groups.rows[static_cast<std::size_t>(group)]));
  };
  double similar = 0.0;
  for (Index a = 0; a < groups.count(); ++a) {
    for (Index b = 0; b < groups.overlaps.cols(); ++b) {
      similar += groups.related(a, b) > 0.0F ? size(a) * size(b) : 0.0;
    }
    similar += groups.overlaps.size() > 0 ? 0.0 : size(a) * size(a);
  }
  const double rows = to_double(std::ssize(groups.group));
  const double other = rows * rows - similar;
  return static_cast<float>(other > 0.0 ? similar / other : 1.0);
}

/// b' q b + p' b: q symmetric with zero diagonal.
double form_value(const Matrix<float>& q, const Vector<float>& p, const Vector<float>& b) {
  return static_cast<double>(b.dot(q * b + p));
}

/// Flips signs while that lowers  b' q b + p' b.
Vector<float> descend(const Matrix<float>& q, const Vector<float>& p, Vector<float> b) {
  Vector<float> field = 2.0F * (q * b) + p;
  for (Index left = 100 * b.size(); left > 0; --left) {
    Index best = 0;
    const float gain = field.cwiseProduct(b).maxCoeff(&best);
    if (!(gain > 1e-4F)) {
      break;
    }
    b(best) = -b(best);
    field += 4.0F * b(best) * q.col(best);
  }
  return b;
}

/// The codes of the training rows (docs/methods.md C.17).
class ColumnSampling {
 public:
  ColumnSampling(const LabelGroups& groups, const CosdishParams& params, Seed seed)
      : groups_(groups),
        params_(params),
        balance_(balance_of(groups)),
        rng_(seed),
        codes_(static_cast<Index>(groups.group.size()), params.bits) {
    for (float& sign : codes_.reshaped<Eigen::RowMajor>()) {
      sign = random_sign(rng_);
    }
  }

  void round() {
    const Index sampled = std::min<Index>(params_.bits, codes_.rows());
    std::vector<Index> omega = sample_without_replacement(codes_.rows(), sampled, rng_);
    std::ranges::sort(omega);
    std::vector<Index> gamma;
    for (Index row = 0; row < codes_.rows(); ++row) {
      if (!std::ranges::binary_search(omega, row)) {
        gamma.push_back(row);
      }
    }
    const Matrix<float> within = between(omega, omega);
    const Matrix<float> across = between(gamma, omega);
    for (Index pass = 0; pass < params_.passes; ++pass) {
      solve_sample(omega, gamma, within, across);
      update_rest(omega, gamma, across);
    }
  }

  const Matrix<float>& codes() const { return codes_; }

 private:
  Matrix<float> between(std::span<const Index> a, std::span<const Index> b) const {
    Matrix<float> part(std::ssize(a), std::ssize(b));
    for (Index i = 0; i < part.rows(); ++i) {
      for (Index j = 0; j < part.cols(); ++j) {
        const float related = groups_.related(
            groups_.group[static_cast<std::size_t>(a[static_cast<std::size_t>(i)])],
            groups_.group[static_cast<std::size_t>(b[static_cast<std::size_t>(j)])]);
        part(i, j) = related > 0.0F ? 1.0F : -balance_;
      }
    }
    return part;
  }

  /// Bit after bit on the sampled rows:  min b' Q b + p' b,
  ///   Q = -2 (B S_oo - sum_{m<k} c_om c_om'),   p = -2 (B S_go - sum_{m<k} c_gm c_om')' c_gk
  void solve_sample(const std::vector<Index>& omega, const std::vector<Index>& gamma,
                    const Matrix<float>& within, const Matrix<float>& across) {
    Matrix<float> sample = codes_(omega, Eigen::all);
    const Matrix<float> rest = codes_(gamma, Eigen::all);
    const auto bits = static_cast<float>(params_.bits);
    Matrix<float> q = -2.0F * bits * within;
    for (Index k = 0; k < params_.bits; ++k) {
      Matrix<float> form = q;
      form.diagonal().setZero();
      Vector<float> p = Vector<float>::Zero(sample.rows());
      if (rest.rows() > 0) {  // few rows: all of them may be in the sample
        p = -2.0F * bits * (across.transpose() * rest.col(k));
        for (Index m = 0; m < k; ++m) {
          p += 2.0F * rest.col(m).dot(rest.col(k)) * sample.col(m);
        }
      }
      sample.col(k) = best_of_starts(form, p, sample.col(k));
      q += 2.0F * sample.col(k) * sample.col(k).transpose();
    }
    codes_(omega, Eigen::all) = sample;
  }

  Vector<float> best_of_starts(const Matrix<float>& q, const Vector<float>& p,
                               const Vector<float>& current) {
    Vector<float> best = descend(q, p, current);
    double value = form_value(q, p, best);
    for (Index start = 0; start < params_.restarts; ++start) {
      Vector<float> other(current.size());
      for (float& sign : other) {
        sign = random_sign(rng_);
      }
      other = descend(q, p, other);
      const double reached = form_value(q, p, other);
      if (reached < value) {
        value = reached;
        best = other;
      }
    }
    return best;
  }

  /// C_gamma = sign(S_go C_omega); a zero keeps its sign.
  void update_rest(const std::vector<Index>& omega, const std::vector<Index>& gamma,
                   const Matrix<float>& across) {
    const Matrix<float> sample = codes_(omega, Eigen::all);
    const Matrix<float> target = across * sample;
    for (Index i = 0; i < target.rows(); ++i) {
      for (Index k = 0; k < target.cols(); ++k) {
        float& sign = codes_(gamma[static_cast<std::size_t>(i)], k);
        sign = target(i, k) > 0.0F ? 1.0F : target(i, k) < 0.0F ? -1.0F : sign;
      }
    }
  }

  const LabelGroups& groups_;
  const CosdishParams& params_;
  float balance_;
  Rng rng_;
  Matrix<float> codes_;
};

}  // namespace

HashModel fit_cosdish(const TrainingSet& data, const CosdishParams& params,
                      const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  const LabelGroups groups = group_labels(data.labels);
  ColumnSampling sampling(groups, params, context.seed.fork("cosdish"));
  for (Index round = 0; round < params.rounds; ++round) {
    sampling.round();
    report(context.on_progress, {"training", to_double(round + 1), to_double(params.rounds), {}});
  }
  Fitted fitted =
      fit_on_components(data, params.features, context, [&](const RidgedFeatures& features) {
        return ridge_regression(features, sampling.codes(), context.threads);
      });
  return make_model("cosdish", kCosdishOptions, params, context.seed, std::move(fitted));
}

}  // namespace structhash
