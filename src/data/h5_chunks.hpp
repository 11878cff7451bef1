#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace structhash::data {

/// Checks the stored chunks of a dataset before the HDF5 library decodes them.  The library (1.10)
/// does not compare the shape of a chunk with its content: in a damaged file it reads past the end
/// of the inflated data.  So every chunk is inflated here first and must give exactly the bytes of
/// its shape.  Filters other than gzip, shuffle and the checksum are refused.  Costs a second
/// inflation; for uncompressed datasets only sizes are compared.
class ChunkCheck {
 public:
  /// `limits`: the maximum extent of the dataset; chunks are never larger.
  ChunkCheck(hid_t dataset, std::vector<hsize_t> extent, const std::vector<hsize_t>& limits,
             std::uint64_t file_size);

  /// True if all chunks that hold rows before `row` are valid.
  bool sound_up_to(hsize_t row);

 private:
  bool is_sound(const std::vector<hsize_t>& offset);
  bool inflates_to(std::size_t stored, std::size_t expected);

  hid_t dataset_;
  std::vector<hsize_t> extent_;
  std::vector<hsize_t> chunk_;  // shape of a chunk; empty: damaged
  std::uint64_t file_size_;
  std::size_t chunk_bytes_ = 0;
  std::vector<H5Z_filter_t> filters_;  // in the order of writing
  hsize_t checked_rows_ = 0;
  std::vector<unsigned char> stored_;
  std::vector<unsigned char> inflated_;
};

}  // namespace structhash::data
