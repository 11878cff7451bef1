#pragma once

#include <cstdint>

#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"

/// Synthetic vectors of any size.
namespace structhash {

/// A mixture of Gaussians whose variance falls with the column, as in image descriptors.  With
/// s_j = 1 / sqrt(1 + j / 8) for column j = 0, 1, ... and z standard normal,
///
///   centre c:  s_j z_cj            row i of cluster c:  s_j z_cj + s_j z_ij
///
/// The cluster of a row is drawn uniformly.
struct GeneratedVectors {
  Index rows = 1'000'000;
  Index dimension = 128;
  Index clusters = 100;
  std::uint64_t seed = 1;
};

/// The same bytes for any number of threads.
Matrix<float> generate(const GeneratedVectors& shape, Threads threads);

}  // namespace structhash
