#include "baselines/lanczos.hpp"

#include <algorithm>
#include <vector>

#include "core/decompositions.hpp"

namespace structhash {
namespace {

/// The tridiagonal matrix of the Lanczos process.
Matrix<double> tridiagonal(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  const auto size = static_cast<Index>(diagonal.size());
  Matrix<double> t = Matrix<double>::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    t(i, i) = diagonal[static_cast<std::size_t>(i)];
    if (i + 1 < size) {
      t(i, i + 1) = t(i + 1, i) = beside[static_cast<std::size_t>(i)];
    }
  }
  return t;
}

}  // namespace

Vector<double> top_eigenvector(Index size, const SymmetricProduct& multiply, Index steps,
                               Seed seed) {
  Rng rng(seed);
  Vector<double> v(size);
  for (double& entry : v) {
    entry = rng.normal();
  }
  v.normalize();
  const Index most = std::min(steps, size);
  Eigen::MatrixXd basis(size, most);
  std::vector<double> diagonal;
  std::vector<double> beside;
  double scale = 0.0;
  for (Index step = 0; step < most; ++step) {
    basis.col(step) = v;
    Vector<double> next = multiply(v);
    diagonal.push_back(v.dot(next));
    const auto known = basis.leftCols(step + 1);
    for (int again = 0; again < 2; ++again) {  // the second pass removes rounding errors
      next -= known * (known.transpose() * next).eval();
    }
    const double norm = next.norm();
    scale = std::max({scale, std::abs(diagonal.back()), norm});
    if (!(norm > 1e-12 * scale)) {  // the space is exhausted
      break;
    }
    beside.push_back(norm);
    v = next / norm;
  }
  const auto used = static_cast<Index>(diagonal.size());
  const EigenPairs pairs = symmetric_eigen(tridiagonal(diagonal, beside));
  Vector<double> top = basis.leftCols(used) * pairs.vectors.col(used - 1);
  Index largest = 0;
  top.cwiseAbs().maxCoeff(&largest);
  return top / (top(largest) < 0.0 ? -top.norm() : top.norm());
}

}  // namespace structhash
