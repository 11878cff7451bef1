#pragma once

#include "features/decode.hpp"

namespace structhash::features {

/// Resizes a picture until its short side is `size`, then cuts the size x size pixels at its
/// centre.  Enlarging interpolates linearly between pixels; shrinking takes means weighted by a
/// triangle that reaches as far as pixels of the result lie apart, so that fine patterns vanish
/// instead of turning into coarse ones.
Picture resize_and_crop(const Picture& picture, Index size);

}  // namespace structhash::features
