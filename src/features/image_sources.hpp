#pragma once

#include <string>
#include <vector>

#include "features/image.hpp"

/// Where images come from: each source gives images of one size, which load_images joins.
namespace structhash::features {

/// Images of one size from one source, and the name by which errors call it.
struct ImagePart {
  std::string name;
  ImageSet images;
};

/// A collection in one file: CIFAR-10, STL-10, idx.
ImageSet read_image_table(const std::string& path, const ImageOptions& options);

/// One PNG or JPEG file and, where it stands in the folder of a class, the class.
struct PictureFile {
  std::string path;
  int label = -1;  // -1: none
};

struct PictureList {
  std::vector<PictureFile> files;
  std::vector<std::string> classes;
};

/// The PNG and JPEG files of a folder in the order of their names.  Where it holds folders, each of
/// them is a class, in the order of their names, and the images in it, at any depth, belong to it.
PictureList list_folder(const std::string& folder);

/// Decodes files that must all have the size of the first, unless a size is asked for.
ImageSet read_pictures(const std::vector<PictureFile>& files, const ImageOptions& options);

/// The same images in three channels.
void make_colour(ImageSet& images);

}  // namespace structhash::features
