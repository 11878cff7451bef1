#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "structhash/core/progress.hpp"
#include "structhash/core/types.hpp"

/// Images of equal size, the input of feature extraction.
namespace structhash {

struct ImageSet {
  Index count = 0;
  Index height = 0;
  Index width = 0;
  Index channels = 1;                // 1: grey; 3: red, green, blue
  std::vector<std::uint8_t> pixels;  // count x height x width x channels, row-major
  std::vector<int> labels;           // one per image, or empty if the files hold none
  std::vector<std::string> classes;  // names of folders; label i is classes[i]; or empty

  Index image_bytes() const { return height * width * channels; }
  const std::uint8_t* image(Index i) const { return pixels.data() + i * image_bytes(); }
};

struct ImageOptions {
  /// 0: images keep their size and must all have the same.  N: an image is resized so that its
  /// short side is N, then cropped to N x N at its centre.
  Index size = 0;
  int threads = 1;  // for decoding PNG and JPEG files
  ProgressCallback on_progress;
};

/// Reads images from one or more of
/// - collections: CIFAR-10, STL-10 (train_X.bin) or idx (also .gz), detected by name;
/// - PNG and JPEG files;
/// - folders of PNG and JPEG files, in order of name.  In a folder of folders, each inner folder is
///   a class.
/// Grey and colour together become colour.  Errors are Errc::bad_data or corrupt_file and name the
/// file, for a collection also the row.
ImageSet load_images(std::span<const std::string> paths, const ImageOptions& options = {});

}  // namespace structhash
