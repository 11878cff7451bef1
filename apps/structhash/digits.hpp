#pragma once

#include "structhash/data/dataset.hpp"

/// The embedded data set: 1,797 handwritten digits of 8x8 pixels (data/digits).
namespace structhash::cli {

Dataset embedded_digits();

}  // namespace structhash::cli
