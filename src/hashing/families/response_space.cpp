#include "hashing/families/response_space.hpp"

#include <algorithm>
#include <cmath>

#include "core/linalg.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr double kMinVariance = 1e-8;       // of the largest; below it is rounding
constexpr double kMinFadedVariance = 1e-3;  // of unit variance; components below it are dropped
constexpr float kMinSelfResponse = 0.99F;   // a smaller response is not that of an anchor to itself

/// No unseen row is as near to an anchor as the anchor itself.  A row that is an anchor therefore
/// gets a smaller response to itself (docs/adr/0016):
///
///   nearest + share (1 - nearest),   nearest: its largest response to another anchor
void lower_self_responses(Matrix<float>& responses, const MatrixView& x,
                          const Matrix<float>& anchors, double share) {
  std::vector<Index> self;
  for (Index row = 0; row < x.rows(); ++row) {
    self.clear();
    float nearest = 0.0F;
    for (Index anchor = 0; anchor < anchors.rows(); ++anchor) {
      const float response = responses(row, anchor);
      if (response > kMinSelfResponse && x.row(row) == anchors.row(anchor)) {
        self.push_back(anchor);
      } else {
        nearest = std::max(nearest, response);
      }
    }
    for (const Index anchor : self) {
      responses(row, anchor) = nearest + static_cast<float>(share) * (1.0F - nearest);
    }
  }
}

Matrix<float> training_responses(const MatrixView& x, const Shards& shards,
                                 const RadialBasis& basis, double self_response, Threads threads) {
  Matrix<float> responses(x.rows(), basis.anchors.rows());
  for (Index shard = 0; shard < shards.count(); ++shard) {
    const RowRange rows = shards.rows(shard);
    responses.middleRows(rows.begin, rows.size()) = kernel_responses(
        x.middleRows(rows.begin, rows.size()), basis.anchors, basis.gamma, threads);
  }
  lower_self_responses(responses, x, basis.anchors, self_response);
  return responses;
}

Matrix<double> covariance_of(const MatrixView& centred, const Shards& shards, Threads threads) {
  const Index columns = centred.cols();
  const std::vector<double> sums =
      shards.sum(columns * columns, [&](Index shard, std::span<double> part) {
        const RowRange range = shards.rows(shard);
        const auto rows = centred.middleRows(range.begin, range.size());
        Eigen::Map<Matrix<double>>(part.data(), columns, columns) =
            product_atb(rows, rows, threads);
      });
  return Eigen::Map<const Matrix<double>>(sums.data(), columns, columns) /
         to_double(shards.all_rows());
}

}  // namespace

void check(const Whitening& whitening) {
  require(whitening.ridge > 0.0 && std::isfinite(whitening.ridge),
          "ridge must be a positive number");
  require(whitening.power > 0.0 && std::isfinite(whitening.power),
          "power must be a positive number");
}

ResponseSpace::ResponseSpace(const MatrixView& x, const Shards& shards, Threads threads)
    : shards_(shards), centred_(x) {
  fit(threads);
}

ResponseSpace::ResponseSpace(const MatrixView& x, const Shards& shards, const KernelParams& params,
                             Seed seed, Threads threads)
    : shards_(shards) {
  require(params.self_response >= 0.0 && params.self_response <= 1.0,
          "self-response must be 0 to 1");
  basis_ = draw_radial_basis(x, shards, params.anchors, params.width, seed.fork("anchors"));
  centred_ = training_responses(x, shards, *basis_, params.self_response, threads);
  fit(threads);
}

void ResponseSpace::fit(Threads threads) {
  centre_ = fit_centre(centred_, shards_).centre;
  centred_.rowwise() -= centre_.transpose();
  covariance_ = symmetric_eigen(covariance_of(centred_, shards_, threads), threads);
  require(covariance_.values.tail(1)(0) > 0.0,
          "all training features are constant: there is nothing to learn from");
}

AffineMap ResponseSpace::whitened(const Whitening& whitening) const {
  check(whitening);
  const Index columns = centred_.cols();
  const double largest = covariance_.values(columns - 1);
  const auto faded = [&](double variance) {
    return std::pow(variance / (variance + whitening.ridge * largest), whitening.power);
  };
  const auto variance_of = [&](Index component) {  // largest first
    return covariance_.values(columns - 1 - component);
  };
  Index components = 0;
  while (components < columns && variance_of(components) > kMinVariance * largest &&
         faded(variance_of(components)) > kMinFadedVariance) {
    ++components;
  }
  AffineMap map{.centre = centre_, .scale = {}, .matrix = Matrix<float>(columns, components)};
  for (Index i = 0; i < components; ++i) {
    const double scale = std::sqrt(faded(variance_of(i)) / variance_of(i));
    map.matrix.col(i) = (covariance_.vectors.col(columns - 1 - i) * scale).cast<float>();
  }
  return map;
}

Matrix<float> ResponseSpace::apply(const AffineMap& map, Threads threads) const {
  const auto of_rows = [&](const MatrixView& rows) -> Matrix<float> {
    return map.matrix.size() > 0 ? product(rows, map.matrix, threads) : Matrix<float>(rows);
  };
  if (shards_.count() == 1) {
    return of_rows(centred_);
  }
  Matrix<float> z(centred_.rows(), map.outputs());
  for (Index shard = 0; shard < shards_.count(); ++shard) {
    const RowRange rows = shards_.rows(shard);
    z.middleRows(rows.begin, rows.size()) = of_rows(centred_.middleRows(rows.begin, rows.size()));
  }
  return z;
}

AffineMap fit_soft_whitening(const MatrixView& x, double ridge, double power, Threads threads) {
  return ResponseSpace(x, Shards(x.rows()), threads).whitened({.ridge = ridge, .power = power});
}

}  // namespace structhash
