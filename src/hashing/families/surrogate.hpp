#pragma once

#include <cmath>
#include <vector>

#include "structhash/core/linalg.hpp"
#include "structhash/hashing/pair_form.hpp"

/// The smooth column problem over linear functions: what L-BFGS is given.
namespace structhash {

using Point = Eigen::VectorXd;  // direction, then offset

/// The surrogate and its gradient (docs/methods.md A.9), negated: L-BFGS minimises.
/// Keeps references to the features and the form.
class Surrogate {
 public:
  Surrogate(const MatrixView& z, const PairForm& form, Threads threads)
      : z_(z), form_(form), threads_(threads), response_(z.rows()), product_(z.rows()) {}

  void set_penalty(double penalty) { penalty_ = penalty; }

  /// Z v + offset for every row.
  const Vector<float>& respond(const Point& point) {
    direction_ = point.head(z_.cols()).cast<float>();
    matrix_vector(z_, direction_, response_, threads_);
    response_.array() += static_cast<float>(point(z_.cols()));
    return response_;
  }

  double discrete(const Point& point, std::vector<float>* signs = nullptr) {
    respond(point);
    std::vector<float> s(static_cast<std::size_t>(z_.rows()));
    for (Index row = 0; row < z_.rows(); ++row) {
      s[static_cast<std::size_t>(row)] = response_(row) > 0.0F ? 1.0F : -1.0F;
    }
    const double value = form_.value(s, threads_);
    if (signs != nullptr) {
      *signs = std::move(s);
    }
    return value;
  }

  ///  dF/dv = Z' [ (M s) o (1 - s^2) ]  with s = tanh(Z v + offset)
  double operator()(const Point& point, Point& gradient) {
    respond(point);
    response_ = response_.array().tanh().matrix();
    const auto n = static_cast<std::size_t>(z_.rows());
    form_.multiply({response_.data(), n}, {product_.data(), n}, threads_);
    const double value = 0.5 * response_.cast<double>().dot(product_.cast<double>());
    product_.array() *= 1.0F - response_.array().square();
    transposed_vector(z_, product_, pulled_, threads_);
    gradient.resize(z_.cols() + 1);
    gradient.head(z_.cols()) = -pulled_.cast<double>();
    gradient(z_.cols()) = -product_.cast<double>().sum();
    gradient.head(z_.cols()) += penalty_ * point.head(z_.cols());
    return -value + 0.5 * penalty_ * point.head(z_.cols()).squaredNorm();
  }

  /// Z' M Z v, the operator of the spectral relaxation, offset included.
  Point relaxed(const Point& point) {
    respond(point);
    const auto n = static_cast<std::size_t>(z_.rows());
    form_.multiply({response_.data(), n}, {product_.data(), n}, threads_);
    transposed_vector(z_, product_, pulled_, threads_);
    Point result(z_.cols() + 1);
    result.head(z_.cols()) = pulled_.cast<double>();
    result(z_.cols()) = product_.cast<double>().sum();
    return result;
  }

  /// Scales a point so that its responses have unit mean square; false if they all vanish.
  bool normalise(Point& point) {
    const double mean_square = respond(point).cast<double>().squaredNorm() / real(z_.rows());
    if (!(mean_square > 1e-30)) {
      return false;
    }
    point /= std::sqrt(mean_square);
    return true;
  }

 private:
  const MatrixView& z_;
  const PairForm& form_;
  Threads threads_;
  double penalty_ = 0.0;
  Vector<float> direction_;
  Vector<float> response_;
  Vector<float> product_;
  Vector<float> pulled_;
};

}  // namespace structhash
