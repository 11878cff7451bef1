#include "data/h5_chunks.hpp"

#include <zlib.h>

#include <limits>
#include <utility>

#include "data/h5_handle.hpp"

namespace structhash::data {
namespace {

constexpr std::size_t kChecksumBytes = 4;  // fletcher32 appends them
constexpr std::uint64_t kMaxChunk = std::numeric_limits<std::uint32_t>::max();

}  // namespace

ChunkCheck::ChunkCheck(hid_t dataset, std::vector<hsize_t> extent,
                       const std::vector<hsize_t>& limits, std::uint64_t file_size)
    : dataset_(dataset), extent_(std::move(extent)), file_size_(file_size) {
  const Handle creation(H5Dget_create_plist(dataset_), H5Pclose);
  const Handle type(H5Dget_type(dataset_), H5Tclose);
  const int rank = static_cast<int>(extent_.size());
  std::vector<hsize_t> chunk(extent_.size());
  if (H5Pget_chunk(creation.get(), rank, chunk.data()) != rank) {
    return;
  }
  std::uint64_t bytes = H5Tget_size(type.get());
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    if (chunk[i] == 0 || chunk[i] > limits[i] || chunk[i] > kMaxChunk / bytes) {
      return;
    }
    bytes *= chunk[i];
  }
  const int filters = H5Pget_nfilters(creation.get());
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    unsigned config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation.get(), static_cast<unsigned>(i), &flags,
                                               &values, nullptr, 0, nullptr, &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE &&
        filter != H5Z_FILTER_FLETCHER32) {
      return;
    }
    filters_.push_back(filter);
  }
  chunk_ = std::move(chunk);
  chunk_bytes_ = bytes;
}

bool ChunkCheck::sound_up_to(hsize_t row) {
  if (chunk_.empty()) {
    return false;
  }
  while (checked_rows_ < row) {  // one row of chunks
    std::vector<hsize_t> offset(extent_.size(), 0);
    offset[0] = checked_rows_;
    for (std::size_t axis = 0; axis < extent_.size();) {
      if (!is_sound(offset)) {
        return false;
      }
      for (axis = 1; axis < extent_.size(); ++axis) {  // count up, the second axis fastest
        offset[axis] += chunk_[axis];
        if (offset[axis] < extent_[axis]) {
          break;
        }
        offset[axis] = 0;
      }
    }
    checked_rows_ += chunk_[0];
  }
  return true;
}

/// Undoes the filters in reverse order, as far as sizes go.
bool ChunkCheck::is_sound(const std::vector<hsize_t>& offset) {
  hsize_t stored = 0;
  if (H5Dget_chunk_storage_size(dataset_, offset.data(), &stored) < 0 || stored == 0 ||
      stored > file_size_) {
    return false;
  }
  if (filters_.empty()) {
    return stored == chunk_bytes_;
  }
  stored_.resize(stored);
  std::uint32_t skipped = 0;  // bit i: filter i was not applied to this chunk
  if (H5Dread_chunk(dataset_, H5P_DEFAULT, offset.data(), &skipped, stored_.data()) < 0) {
    return false;
  }
  std::size_t size = stored;
  std::size_t checksums = 0;  // bytes that filters before the compression added to the data
  bool compressed = false;
  for (std::size_t i = filters_.size(); i-- > 0;) {
    if (((skipped >> i) & 1U) != 0) {
      continue;
    }
    if (filters_[i] == H5Z_FILTER_FLETCHER32 && compressed) {
      checksums += kChecksumBytes;
    } else if (filters_[i] == H5Z_FILTER_FLETCHER32) {
      if (size < kChecksumBytes) {
        return false;
      }
      size -= kChecksumBytes;
    } else if (filters_[i] == H5Z_FILTER_DEFLATE) {
      if (compressed) {
        return false;
      }
      compressed = true;
    }
  }
  return compressed ? inflates_to(size, chunk_bytes_ + checksums) : size == chunk_bytes_;
}

bool ChunkCheck::inflates_to(std::size_t stored, std::size_t expected) {
  constexpr std::size_t kMaxRatio = 1032;  // bytes out per byte in, zlib's documented limit
  if (expected / kMaxRatio > stored) {
    return false;  // before allocating memory
  }
  inflated_.resize(expected);
  auto size = static_cast<uLongf>(expected);
  auto used = static_cast<uLong>(stored);
  return uncompress2(inflated_.data(), &size, stored_.data(), &used) == Z_OK && size == expected;
}

}  // namespace structhash::data
