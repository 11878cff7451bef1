#pragma once

#include <cmath>
#include <vector>

#include "core/half_matrix.hpp"
#include "hashing/pair_form.hpp"

/// The smooth column problem over linear functions: what L-BFGS is given.
namespace structhash {

using Point = Eigen::VectorXd;  // direction, then offset

/// The surrogate and its gradient (docs/methods.md A.9), negated: L-BFGS minimises.
/// Keeps references to the features and the form, whose rows they are; sums go over the shards of
/// all processes.
class Surrogate {
 public:
  Surrogate(const HalfMatrix& z, const PairForm& form, Threads threads)
      : z_(z), form_(form), threads_(threads), response_(z.rows()), product_(z.rows()) {}

  void set_penalty(double penalty) { penalty_ = penalty; }

  /// Z v + offset for every row.
  const Vector<float>& respond(const Point& point) {
    direction_ = point.head(z_.cols()).cast<float>();
    for (Index shard = 0; shard < shards().count(); ++shard) {
      z_.times(shards().rows(shard), direction_, part_of(response_, shard), threads_);
    }
    response_.array() += static_cast<float>(point(z_.cols()));
    return response_;
  }

  /// The bits of the responses that were computed last.
  std::vector<float> signs() const {
    std::vector<float> s(static_cast<std::size_t>(z_.rows()));
    for (Index row = 0; row < z_.rows(); ++row) {
      s[static_cast<std::size_t>(row)] = response_(row) > 0.0F ? 1.0F : -1.0F;
    }
    return s;
  }

  /// F(s).
  double discrete(std::span<const float> s) const { return form_.value(s, threads_); }

  /// F(tanh(Z v + offset)).
  double smooth(const Point& point) {
    respond(point);
    response_ = response_.array().tanh().matrix();
    return form_.value({response_.data(), static_cast<std::size_t>(z_.rows())}, threads_);
  }

  ///  dF/dv = Z' [ (M s) o (1 - s^2) ]  with s = tanh(Z v + offset)
  double operator()(const Point& point, Point& gradient) {
    respond(point);
    response_ = response_.array().tanh().matrix();
    const auto n = static_cast<std::size_t>(z_.rows());
    form_.multiply({response_.data(), n}, {product_.data(), n}, threads_);
    const std::vector<double> sums =
        shards().sum(z_.cols() + 2, [&](Index shard, std::span<double> part) {
          const RowRange rows = shards().rows(shard);
          const auto response = response_.segment(rows.begin, rows.size());
          auto product = product_.segment(rows.begin, rows.size());
          part[0] = response.template cast<double>().dot(product.template cast<double>());
          product.array() *= 1.0F - response.array().square();
          pull(shard, part.subspan(1));
        });
    const double value = 0.5 * sums[0];
    gradient = -Eigen::Map<const Point>(sums.data() + 1, z_.cols() + 1);
    gradient.head(z_.cols()) += penalty_ * point.head(z_.cols());
    return -value + 0.5 * penalty_ * point.head(z_.cols()).squaredNorm();
  }

  /// Z' M Z v, the operator of the spectral relaxation, offset included.
  Point relaxed(const Point& point) {
    respond(point);
    const auto n = static_cast<std::size_t>(z_.rows());
    form_.multiply({response_.data(), n}, {product_.data(), n}, threads_);
    const std::vector<double> sums = shards().sum(
        z_.cols() + 1, [&](Index shard, std::span<double> part) { pull(shard, part); });
    return Eigen::Map<const Point>(sums.data(), z_.cols() + 1);
  }

  /// Computes the responses and scales the point so that they have unit mean square; false if they
  /// all vanish.
  bool normalise(Point& point) {
    respond(point);
    const auto squares = [&](Index shard, std::span<double> part) {
      const RowRange rows = shards().rows(shard);
      part[0] = response_.segment(rows.begin, rows.size()).cast<double>().squaredNorm();
    };
    const double mean_square = shards().sum(1, squares)[0] / to_double(shards().all_rows());
    if (!(mean_square > 1e-30)) {
      return false;
    }
    point /= std::sqrt(mean_square);
    return true;
  }

 private:
  const Shards& shards() const { return form_.shards(); }
  std::span<float> part_of(Vector<float>& values, Index shard) const {
    const RowRange rows = shards().rows(shard);
    return {values.data() + rows.begin, static_cast<std::size_t>(rows.size())};
  }

  /// Z' product and the sum of the product: of the direction and of the offset, for one shard.
  void pull(Index shard, std::span<double> part) {
    const RowRange rows = shards().rows(shard);
    z_.transposed_times(rows, part_of(product_, shard), pulled_, threads_);
    Eigen::Map<Point> to(part.data(), z_.cols() + 1);
    to.head(z_.cols()) = pulled_.cast<double>();
    to(z_.cols()) = product_.segment(rows.begin, rows.size()).cast<double>().sum();
  }

  const HalfMatrix& z_;
  const PairForm& form_;
  Threads threads_;
  double penalty_ = 0.0;
  Vector<float> direction_;
  Vector<float> response_;
  Vector<float> product_;
  Vector<float> pulled_;
};

}  // namespace structhash
