#pragma once

#include <functional>

#include "structhash/core/rng.hpp"
#include "structhash/core/types.hpp"

namespace structhash {

/// result = M v for a symmetric M that is given by its products only.
using SymmetricProduct = std::function<Vector<double>(const Vector<double>& v)>;

/// Unit eigenvector of the algebraically largest eigenvalue, by Lanczos steps with full
/// reorthogonalisation; at most `steps` products.  Sign: largest entry positive.
Vector<double> top_eigenvector(Index size, const SymmetricProduct& multiply, Index steps,
                               Seed seed);

}  // namespace structhash
