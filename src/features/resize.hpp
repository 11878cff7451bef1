#pragma once

#include "features/decode.hpp"

namespace structhash::features {

/// Resizes a picture so that its short side is `size`, then crops the size x size pixels at its
/// centre.  Enlarging interpolates linearly; shrinking takes means weighted by a triangle as wide
/// as the distance of result pixels, which avoids aliasing.
Picture resize_and_crop(const Picture& picture, Index size);

}  // namespace structhash::features
