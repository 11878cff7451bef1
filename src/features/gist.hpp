#pragma once

#include "features/image.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/core/types.hpp"

/// GIST of Oliva and Torralba, "Modeling the shape of the scene" (IJCV 42, 2001): how strongly an
/// image varies at each scale and orientation, in each part of it (docs/features.md).
namespace structhash {

struct GistOptions {
  Index scales = 4;        // centre frequencies 0.3 / 1.85^s cycles per pixel, s = 0, 1, ...
  Index orientations = 8;  // directions -pi j / orientations, j = 0, 1, ...
  Index blocks = 4;        // the image is cut into blocks x blocks parts
  int threads = 1;
  ProgressCallback on_progress;
};

/// Numbers per image: scales * orientations * blocks^2, 512 by default.
Index gist_dimension(const GistOptions& options);

/// One row per image; column ((s * orientations + j) * blocks + r) * blocks + c is the mean
/// response to scale s and orientation j in row r, column c of the blocks.  The same bytes for any
/// number of threads.
Matrix<float> gist(const ImageSet& images, const GistOptions& options = {});

}  // namespace structhash
