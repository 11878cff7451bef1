#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "structhash/core/progress.hpp"
#include "structhash/core/types.hpp"

/// Images of equal size, as features are made from them.
namespace structhash {

struct ImageSet {
  Index count = 0;
  Index height = 0;
  Index width = 0;
  Index channels = 1;                // 1: grey; 3: red, green, blue
  std::vector<std::uint8_t> pixels;  // count x height x width x channels, row-major
  std::vector<int> labels;           // one per image, or empty where the files carry none
  std::vector<std::string> classes;  // names of folders; label i is classes[i]; or empty

  Index image_bytes() const { return height * width * channels; }
  const std::uint8_t* image(Index i) const { return pixels.data() + i * image_bytes(); }
};

struct ImageOptions {
  /// 0: images are taken as they are and must be of one size.  N: an image is resized until its
  /// short side is N, then cut to N x N at its centre.
  Index size = 0;
  int threads = 1;  // PNG and JPEG files are decoded on so many
  ProgressCallback on_progress;
};

/// Reads images from one or more of
/// - collections whose names tell that they are CIFAR-10, STL-10 (train_X.bin) or idx (also .gz);
/// - PNG and JPEG files;
/// - folders of PNG and JPEG files, in the order of their names.  Where a folder holds folders,
///   each of these is a class.
/// Grey and colour together become colour.  What is wrong is Errc::bad_data or corrupt_file, with
/// the name of the file; a collection also names the row.
ImageSet load_images(std::span<const std::string> paths, const ImageOptions& options = {});

}  // namespace structhash
