#pragma once

#include "structhash/evaluation/experiment.hpp"

namespace structhash {

/// The same bytes for any number of threads.
Matrix<float> generate(const GeneratedVectors& shape, Threads threads);

}  // namespace structhash
