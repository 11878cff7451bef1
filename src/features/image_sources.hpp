#pragma once

#include <string>
#include <vector>

#include "features/image.hpp"

/// Sources of images: each gives images of one size, which load_images joins.
namespace structhash::features {

/// Images of one size from one source, and its name in errors.
struct ImagePart {
  std::string name;
  ImageSet images;
};

/// A collection in one file: CIFAR-10, STL-10, idx.
ImageSet read_image_table(const std::string& path, const ImageOptions& options);

/// One PNG or JPEG file, and its class if it is in the folder of a class.
struct PictureFile {
  std::string path;
  int label = -1;  // -1: none
};

struct PictureList {
  std::vector<PictureFile> files;
  std::vector<std::string> classes;
};

/// The PNG and JPEG files of a folder in order of name.  In a folder of folders, each inner folder
/// is a class, in order of name, with all images in it at any depth.
PictureList list_folder(const std::string& folder);

/// Decodes files, which must all have the size of the first unless options.size is set.
ImageSet read_pictures(const std::vector<PictureFile>& files, const ImageOptions& options);

/// The same images in three channels.
void make_colour(ImageSet& images);

}  // namespace structhash::features
