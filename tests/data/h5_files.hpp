#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

/// Small HDF5 files, written by the HDF5 library.
namespace structhash::test {

class H5Writer {
 public:
  explicit H5Writer(const std::string& path, bool checksum = false)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
        checksum_(checksum) {}
  ~H5Writer() { H5Fclose(file_); }
  H5Writer(const H5Writer&) = delete;
  H5Writer& operator=(const H5Writer&) = delete;

  /// A dataset at a path whose groups are made as needed; `chunk_rows` > 0 stores it deflated.
  void write(const std::string& path, const std::vector<hsize_t>& extent, hid_t stored, hid_t given,
             const void* values, hsize_t chunk_rows = 0) const {
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (chunk_rows > 0) {
      std::vector<hsize_t> chunk = extent;
      chunk[0] = chunk_rows;
      H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
      H5Pset_shuffle(creation);
      H5Pset_deflate(creation, 6);
      if (checksum_) {
        H5Pset_fletcher32(creation);
      }
    }
    const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
    const hid_t dataset =
        H5Dcreate2(file_, path.c_str(), stored, space, links, creation, H5P_DEFAULT);
    if (values != nullptr) {
      H5Dwrite(dataset, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(creation);
    H5Pclose(links);
  }
  void write_floats(const std::string& path, const std::vector<hsize_t>& extent,
                    const std::vector<float>& values, hsize_t chunk_rows = 0) const {
    write(path, extent, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, values.data(), chunk_rows);
  }

 private:
  hid_t file_;
  bool checksum_;  // whether chunks carry one
};

}  // namespace structhash::test
