#pragma once

#include "structhash/data/dataset.hpp"

namespace structhash {

/// rows x classes, 1 where the row has the label; classes in ascending order.
Matrix<float> label_indicator(const Labels& labels);

}  // namespace structhash
