#include "features/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "features/decode.hpp"
#include "features/image_sources.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace features {
namespace {

/// The images of all paths, in order; consecutive PNG and JPEG files are one part.
std::vector<ImagePart> read_parts(std::span<const std::string> paths, const ImageOptions& options) {
  std::vector<ImagePart> parts;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    ImagePart part{paths[i], {}};
    if (std::filesystem::is_directory(paths[i])) {
      const PictureList list = list_folder(paths[i]);
      part.images = read_pictures(list.files, options);
      part.images.classes = list.classes;
    } else if (is_picture_name(paths[i])) {
      std::vector<PictureFile> files{{paths[i], -1}};
      while (i + 1 < paths.size() && is_picture_name(paths[i + 1]) &&
             !std::filesystem::is_directory(paths[i + 1])) {
        files.push_back({paths[++i], -1});
      }
      part.images = read_pictures(files, options);
    } else {
      part.images = read_image_table(paths[i], options);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Two folders may give different classes the same numbers; their labels cannot be joined then.
void check_classes(const ImageSet& first, const std::string& first_name, const ImagePart& part) {
  if (first.classes != part.images.classes) {
    fail(Errc::bad_data,
         fmt::format("{}: has different classes (folders) than {}; process them separately",
                     part.name, first_name));
  }
}

}  // namespace
}  // namespace features

ImageSet load_images(std::span<const std::string> paths, const ImageOptions& options) {
  using features::ImagePart;
  require(!paths.empty(), "no image file was given");
  constexpr Index kMaxSize = 1 << 14U;
  require(options.size >= 0 && options.size <= kMaxSize,
          fmt::format("the size of images must be 0 (unchanged) to {}, got {}", kMaxSize,
                      options.size));
  std::vector<ImagePart> parts = features::read_parts(paths, options);
  const bool colour =
      std::ranges::any_of(parts, [](const ImagePart& part) { return part.images.channels == 3; });
  const bool labelled =
      std::ranges::none_of(parts, [](const ImagePart& part) { return part.images.labels.empty(); });
  ImageSet all = std::move(parts.front().images);
  if (colour) {
    features::make_colour(all);
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    ImageSet& more = parts[i].images;
    if (more.height != all.height || more.width != all.width) {
      fail(Errc::bad_data,
           fmt::format("{}: its images are {} x {} pixels, those of {} {} x {}; use --size N to "
                       "resize all images to N x N",
                       parts[i].name, more.width, more.height, parts.front().name, all.width,
                       all.height));
    }
    features::check_classes(all, parts.front().name, parts[i]);
    if (colour) {
      features::make_colour(more);
    }
    all.pixels.insert(all.pixels.end(), more.pixels.begin(), more.pixels.end());
    all.labels.insert(all.labels.end(), more.labels.begin(), more.labels.end());
    all.count += more.count;
    more = {};
  }
  if (!labelled) {
    all.labels.clear();
    all.classes.clear();
  }
  return all;
}

}  // namespace structhash
