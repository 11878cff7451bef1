#include "hashing/families/response_space.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/decompositions.hpp"
#include "core/linalg.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr double kMinVariance = 1e-7;      // of the largest; below it is rounding
constexpr Index kColumnBlock = 4096;       // columns transposed at a time: bounds the extra memory
constexpr double kMinShare = 1e-3;         // of unit variance; components below it are dropped
constexpr float kMinSelfResponse = 0.99F;  // a smaller response is not that of an anchor to itself

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

}  // namespace

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

namespace {

Matrix<double> covariance_of(const MatrixView& centred, const Shards& shards, Threads threads) {
  const Index columns = centred.cols();
  const std::vector<double> sums =
      shards.sum(columns * columns, [&](Index shard, std::span<double> part) {
        const RowRange range = shards.rows(shard);
        Eigen::Map<Matrix<double>>(part.data(), columns, columns) =
            gram(centred.middleRows(range.begin, range.size()), threads);
      });
  return Eigen::Map<const Matrix<double>>(sums.data(), columns, columns) /
         to_double(shards.all_rows());
}

/// Calls use(first column, block) for the transposed columns of x, block by block.
template <typename Use>
void for_each_transposed_block(const MatrixView& x, const Use& use) {
  for (Index begin = 0; begin < x.cols(); begin += kColumnBlock) {
    const Index count = std::min(kColumnBlock, x.cols() - begin);
    const Matrix<float> block = x.middleCols(begin, count).transpose();
    use(begin, block);
  }
}

/// The principal directions of fewer rows than features, from their inner products:
///
///   X X' / n = sum_i lambda_i u_i u_i',   v_i = X' u_i / ||X' u_i||,   lambda_i = ||X' u_i||^2 / n
///
/// The second form of lambda_i leaves next to nothing of an eigenvalue that is rounding.
/// Cost: two products rows^2 x features and an eigenproblem of rows^3.
LeadingEigenPairs directions_by_rows(const MatrixView& centred, Threads threads) {
  const double rows = to_double(centred.rows());
  Matrix<double> inner = Matrix<double>::Zero(centred.rows(), centred.rows());
  for_each_transposed_block(
      centred, [&](Index, const Matrix<float>& block) { inner += gram(block, threads); });
  const Matrix<float> left = leading_eigen(inner / rows, kMinVariance, threads).vectors;
  Matrix<float> vectors(centred.cols(), left.cols());
  Eigen::RowVectorXd squares = Eigen::RowVectorXd::Zero(left.cols());
  for_each_transposed_block(centred, [&](Index begin, const Matrix<float>& block) {
    auto part = vectors.middleRows(begin, block.rows());
    part = product(block, left, threads);
    squares += part.cast<double>().colwise().squaredNorm();
  });
  Index kept = 0;
  for (; kept < left.cols() && squares(kept) > kMinVariance * squares(0); ++kept) {
    squares(kept) = kept > 0 ? std::min(squares(kept), squares(kept - 1)) : squares(kept);
  }
  const Eigen::RowVectorXf lengths = squares.head(kept).cwiseSqrt().cast<float>();
  return {squares.head(kept).transpose() / rows,
          vectors.leftCols(kept) * lengths.cwiseInverse().asDiagonal()};
}

/// Centres the features and finds their principal directions.
Spectrum fit_spectrum(Matrix<float>& features, const Shards& shards, Threads threads) {
  Vector<float> centre = fit_centre(features, shards).centre;
  features.rowwise() -= centre.transpose();
  LeadingEigenPairs pairs =
      !shards.cut() && features.rows() < features.cols()
          ? directions_by_rows(features, threads)
          : leading_eigen(covariance_of(features, shards, threads), kMinVariance, threads);
  require(pairs.values.size() > 0,
          "all training features are constant: there is nothing to learn from");
  return {std::move(centre), std::move(pairs.values), std::move(pairs.vectors)};
}

}  // namespace

void check(const Whitening& whitening) {
  require(whitening.ridge > 0.0 && std::isfinite(whitening.ridge),
          "ridge must be a positive number");
  require(whitening.power > 0.0 && std::isfinite(whitening.power),
          "power must be a positive number");
}

Vector<double> shares(const Vector<double>& variances, const Whitening& whitening) {
  check(whitening);
  if (!whitening.on) {
    return variances / variances(0);
  }
  return (variances.array() / (variances.array() + whitening.ridge * variances(0)))
      .pow(whitening.power);
}

Vector<double> scales(const Vector<double>& variances, const Whitening& whitening) {
  const Vector<double> left = shares(variances, whitening);
  const double least = whitening.on ? kMinShare : 0.0;
  const Index kept = std::ranges::lower_bound(left, least, std::greater{}) - left.begin();
  return (left.head(kept).array() / variances.head(kept).array()).sqrt();
}

AffineMap soft_whitening(const Spectrum& spectrum, const Whitening& whitening) {
  const Vector<float> factors = scales(spectrum.variances, whitening).cast<float>();
  return {.centre = spectrum.centre,
          .scale = {},
          .matrix = spectrum.directions.leftCols(factors.size()) * factors.asDiagonal()};
}

ResponseSpace::ResponseSpace(const MatrixView& x, const Shards& shards, Threads threads)
    : shards_(shards) {
  fit(x, threads);
}

ResponseSpace::ResponseSpace(const MatrixView& x, const Shards& shards, const KernelParams& params,
                             Seed seed, Threads threads)
    : shards_(shards) {
  require(params.self_response >= 0.0 && params.self_response <= 1.0,
          "self-response must be 0 to 1");
  basis_ =
      draw_radial_basis(x, shards, params.anchors, params.width, seed.fork("anchors"), threads);
  fit(training_responses(x, shards, *basis_, params.self_response, threads), threads);
}

/// Shard by shard: the components of a row do not depend on the other shards.
void ResponseSpace::fit(Matrix<float> features, Threads threads) {
  spectrum_ = fit_spectrum(features, shards_, threads);
  if (shards_.count() == 1) {
    components_ = product(features, spectrum_.directions, threads);
    return;
  }
  components_.resize(features.rows(), spectrum_.directions.cols());
  for (Index shard = 0; shard < shards_.count(); ++shard) {
    const RowRange rows = shards_.rows(shard);
    components_.middleRows(rows.begin, rows.size()) =
        product(features.middleRows(rows.begin, rows.size()), spectrum_.directions, threads);
  }
}

Encoder make_encoder(const std::optional<RadialBasis>& basis, const LinearFunctions& functions) {
  Matrix<float> directions = functions.directions.cast<float>();
  Vector<float> offsets = functions.offsets.cast<float>();
  if (basis) {
    return KernelEncoder{basis->anchors, static_cast<float>(basis->gamma), std::move(directions),
                         std::move(offsets)};
  }
  return LinearEncoder{std::move(directions), std::move(offsets)};
}

HalfMatrix ResponseSpace::whitened(const Whitening& whitening, Threads threads) const {
  return {components_, scales(spectrum_.variances, whitening).cast<float>(), threads};
}

AffineMap fit_soft_whitening(const MatrixView& x, double ridge, double power, Threads threads) {
  Matrix<float> features = x;
  return soft_whitening(fit_spectrum(features, Shards(x.rows()), threads),
                        {.ridge = ridge, .power = power});
}

}  // namespace structhash
