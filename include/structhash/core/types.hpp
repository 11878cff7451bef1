#pragma once

#include <Eigen/Core>

/// The numeric types of the whole project.
namespace structhash {

using Index = Eigen::Index;

/// Row-major, as files and callers hold them: one row is one vector.
template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// Read-only views: no copy of a row-major float matrix or a contiguous double vector.
using MatrixView = Eigen::Ref<const Matrix<float>, 0, Eigen::OuterStride<>>;
using VectorView = Eigen::Ref<const Vector<double>>;

inline double to_double(Index value) {
  return static_cast<double>(value);
}

}  // namespace structhash
