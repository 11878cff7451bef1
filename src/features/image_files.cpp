#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>

#include "features/decode.hpp"
#include "features/image_sources.hpp"
#include "features/resize.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash::features {
namespace {

namespace fs = std::filesystem;

struct FolderContent {
  std::vector<std::string> pictures;
  std::vector<std::string> folders;
};

/// The content of a folder in order of name, without hidden files and files of other kinds.
FolderContent content_of(const std::string& folder) {
  FolderContent content;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string path = entries->path().string();
    if (entries->path().filename().string().starts_with(".")) {
      continue;
    }
    if (entries->is_directory(error)) {
      content.folders.push_back(path);
    } else if (is_picture_name(path)) {
      content.pictures.push_back(path);
    }
  }
  if (error) {
    fail(Errc::io, fmt::format("{}: cannot be read: {}", folder, error.message()));
  }
  std::ranges::sort(content.pictures);
  std::ranges::sort(content.folders);
  return content;
}

/// Gives all images below a folder the label.  Links to folders may form cycles, so the depth has a
/// limit.
void collect(const std::string& folder, int label, int depth, std::vector<PictureFile>& files) {
  constexpr int kMaxDepth = 32;
  if (depth > kMaxDepth) {
    fail(Errc::bad_data,
         fmt::format("{}: folders are nested more than {} deep", folder, kMaxDepth));
  }
  const FolderContent content = content_of(folder);
  for (const std::string& path : content.pictures) {
    files.push_back({path, label});
  }
  for (const std::string& inner : content.folders) {
    collect(inner, label, depth + 1, files);
  }
}

void check_same_size(const PictureFile& file, const Picture& picture, const PictureFile& first,
                     const Picture& images) {
  if (picture.height != images.height || picture.width != images.width) {
    fail(Errc::bad_data,
         fmt::format("{}: is {} x {} pixels, but {} is {} x {}; use --size N to resize all images "
                     "to N x N",
                     file.path, picture.width, picture.height, first.path, images.width,
                     images.height));
  }
}

Picture decode(const std::string& path, const ImageOptions& options) {
  Picture picture = read_picture(path);
  return options.size > 0 ? resize_and_crop(picture, options.size) : picture;
}

/// All pictures, of the size of the first.
std::vector<Picture> decode_all(const std::vector<PictureFile>& files,
                                const ImageOptions& options) {
  constexpr Index kFilesAtOnce = 4;
  const auto count = static_cast<Index>(files.size());
  std::vector<Picture> pictures(files.size());
  pictures.front() = decode(files.front().path, options);
  std::atomic<Index> done = 0;
  parallel_for(count, options.threads, kFilesAtOnce, [&](Index begin, Index end) {
    for (Index i = std::max<Index>(begin, 1); i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      pictures[at] = decode(files[at].path, options);
      check_same_size(files[at], pictures[at], files.front(), pictures.front());
    }
    report(options.on_progress, {"reading images", to_double(done += end - begin), to_double(count),
                                 files.front().path});
  });
  return pictures;
}

}  // namespace

PictureList list_folder(const std::string& folder) {
  const FolderContent content = content_of(folder);
  PictureList list;
  for (const std::string& path : content.pictures) {
    list.files.push_back({path, -1});
  }
  if (!content.folders.empty() && !content.pictures.empty()) {
    fail(Errc::bad_data,
         fmt::format("{}: holds images ({} first) and folders ({} first); expected images only, or "
                     "a folder for each class",
                     folder, content.pictures.front(), content.folders.front()));
  }
  for (const std::string& inner : content.folders) {
    collect(inner, static_cast<int>(list.classes.size()), 1, list.files);
    list.classes.push_back(fs::path(inner).filename().string());
  }
  if (list.files.empty()) {
    fail(Errc::bad_data, fmt::format("{}: holds no .png, .jpg or .jpeg file", folder));
  }
  return list;
}

void make_colour(ImageSet& images) {
  if (images.channels == 3) {
    return;
  }
  std::vector<std::uint8_t> pixels;
  pixels.reserve(3 * images.pixels.size());
  for (const std::uint8_t value : images.pixels) {
    pixels.insert(pixels.end(), 3, value);
  }
  images.pixels = std::move(pixels);
  images.channels = 3;
}

ImageSet read_pictures(const std::vector<PictureFile>& files, const ImageOptions& options) {
  const std::vector<Picture> pictures = decode_all(files, options);
  ImageSet images;
  images.count = static_cast<Index>(files.size());
  images.height = pictures.front().height;
  images.width = pictures.front().width;
  const bool colour =
      std::ranges::any_of(pictures, [](const Picture& picture) { return picture.channels == 3; });
  images.channels = colour ? 3 : 1;
  images.pixels.reserve(static_cast<std::size_t>(images.count * images.image_bytes()));
  for (const Picture& picture : pictures) {
    const auto copies = static_cast<std::size_t>(images.channels / picture.channels);
    for (const std::uint8_t value : picture.pixels) {
      images.pixels.insert(images.pixels.end(), copies, value);
    }
  }
  if (std::ranges::all_of(files, [](const PictureFile& file) { return file.label >= 0; })) {
    std::ranges::transform(files, std::back_inserter(images.labels), &PictureFile::label);
  }
  return images;
}

}  // namespace structhash::features
