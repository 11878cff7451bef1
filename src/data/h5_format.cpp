#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "data/byte_source.hpp"
#include "data/formats.hpp"
#include "data/h5_chunks.hpp"
#include "data/h5_handle.hpp"
#include "structhash/core/error.hpp"

/// HDF5: one dataset of numbers or text labels inside a file, written as file.h5:path/inside.  A
/// file with a single dataset needs no path.  The HDF5 library converts and decompresses.
namespace structhash::data {
namespace {

constexpr std::size_t kChunkCache = 64U << 20U;  // holds one row of chunks
constexpr std::size_t kChunkSlots = 12421;       // a prime, as the library recommends
constexpr std::size_t kMaxNames = 20;
constexpr std::size_t kMaxText = 1U << 16U;   // bytes of one label
constexpr Index kTextBlock = Index{1} << 20;  // bytes of labels read at once
constexpr std::uint64_t kMaxPerByte = 1032;   // limit of deflate; bounds the claims of small files

struct FileAndPath {
  std::string file;
  std::string inside;  // empty: the only dataset
};

FileAndPath split_name(const std::string& name) {
  for (const std::string_view ending : {".h5:", ".hdf5:"}) {
    const std::size_t found = name.find(ending);
    if (found != std::string::npos) {
      const std::size_t colon = found + ending.size() - 1;
      return {name.substr(0, colon), name.substr(colon + 1)};
    }
  }
  const bool plain = name.ends_with(".h5") || name.ends_with(".hdf5");
  const std::size_t colon = plain ? std::string::npos : name.rfind(':');
  return colon == std::string::npos ? FileAndPath{name, ""}
                                    : FileAndPath{name.substr(0, colon), name.substr(colon + 1)};
}

herr_t collect_dataset(hid_t, const char* name, const H5O_info_t* info, void* names) noexcept {
  auto& list = *static_cast<std::vector<std::string>*>(names);
  try {
    if (info->type == H5O_TYPE_DATASET) {
      list.emplace_back(name);
    }
  } catch (const std::exception&) {
    return -1;
  }
  return list.size() < kMaxNames ? 0 : 1;
}

std::vector<std::string> dataset_names(hid_t file) {
  std::vector<std::string> names;
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, collect_dataset, &names, H5O_INFO_BASIC);
  return names;
}

class H5Reader final : public TableReader {
 public:
  explicit H5Reader(const std::string& name) : name_(name) {
    const auto [path, inside] = split_name(name);
    const std::uint64_t file_size = ByteSource(path).size();  // reports a missing file
    const QuietErrors quiet;
    open_file(path);
    open_dataset(inside);
    read_shape(file_size);
  }

  const TableShape& shape() const override { return shape_; }

  void read_features(Index count, Index /*dimension*/, float* out) override {
    read(feature_row_, count, H5T_NATIVE_FLOAT, out);
    feature_row_ += count;
  }

  void read_labels(Index count, double* out) override {
    read(label_row_, count, H5T_NATIVE_DOUBLE, out);
    label_row_ += count;
  }

  void read_label_text(Index count, TextLabels& out) override {
    const Handle type(H5Dget_type(dataset_.get()), H5Tclose);
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    const std::size_t length = element_size();
    std::string block;
    for (const Index end = label_row_ + count; label_row_ < end;) {
      const Index rows = std::min(end - label_row_, 1 + kTextBlock / static_cast<Index>(length));
      block.resize(static_cast<std::size_t>(rows) * length);
      read(label_row_, rows, type.get(), block.data());
      for (std::size_t at = 0; at < block.size(); at += length) {
        const std::string_view text = std::string_view(block).substr(at, length);
        if (text.front() == '\0') {
          fail(Errc::bad_data, fmt::format("row {}: the label is empty", out.size() + 1));
        }
        out.add(text.substr(0, text.find('\0')));
      }
      label_row_ += rows;
    }
  }

 private:
  [[noreturn]] void fail(Errc code, const std::string& message) const {
    structhash::fail(code, name_ + ": " + message);
  }

  void open_file(const std::string& path) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.get(), false, true);  // reading only; the folder may be read-only
    file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
    if (!file_.valid()) {
      fail(Errc::corrupt_file, "is damaged or not an HDF5 file");
    }
  }

  void open_dataset(std::string inside) {
    if (inside.empty()) {
      const auto names = dataset_names(file_.get());
      if (names.size() != 1) {
        fail_with_names("name the dataset, as in file.h5:path/inside");
      }
      inside = names.front();
    }
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    H5Pset_chunk_cache(access.get(), kChunkSlots, kChunkCache, H5D_CHUNK_CACHE_W0_DEFAULT);
    dataset_ = Handle(H5Dopen2(file_.get(), inside.c_str(), access.get()), H5Dclose);
    if (!dataset_.valid()) {
      fail_with_names(fmt::format("there is no readable dataset '{}'", inside));
    }
    check_type();
  }

  std::size_t element_size() const {
    const Handle type(H5Dget_type(dataset_.get()), H5Tclose);
    return H5Tget_size(type.get());
  }

  bool holds_text() const {
    const Handle type(H5Dget_type(dataset_.get()), H5Tclose);
    return H5Tget_class(type.get()) == H5T_STRING;
  }

  void check_type() const {
    const Handle type(H5Dget_type(dataset_.get()), H5Tclose);
    const H5T_class_t kind = H5Tget_class(type.get());
    if (kind == H5T_STRING) {
      if (H5Tis_variable_str(type.get()) != 0 || element_size() > kMaxText) {
        fail(Errc::bad_data,
             "the dataset holds text of variable length; store text labels as bytes, "
             "array.astype('S'), or with numpy.save(file, array.astype(str))");
      }
      return;
    }
    if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM) {
      fail(Errc::corrupt_file, "the dataset holds neither plain numbers nor text");
    }
    const std::size_t size = element_size();
    if (size != 1 && size != 2 && size != 4 && size != 8) {
      fail(Errc::corrupt_file,
           fmt::format("the dataset holds numbers of {} bytes; supported are 1, 2, 4 and 8", size));
    }
  }

  [[noreturn]] void fail_with_names(const std::string& problem) const {
    std::string list;
    for (const std::string& name : dataset_names(file_.get())) {
      list += " " + name;
    }
    fail(Errc::bad_data,
         problem + (list.empty() ? "; the file holds no dataset" : "; the file holds:" + list));
  }

  void read_shape(std::uint64_t file_size) {
    const Handle space(H5Dget_space(dataset_.get()), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space.get());
    if (rank < 1) {
      fail(Errc::bad_data, "the dataset is a single number; a table needs rows and columns");
    }
    extent_.resize(static_cast<std::size_t>(rank));
    std::vector<hsize_t> limits(extent_.size());  // the maximum extent
    H5Sget_simple_extent_dims(space.get(), extent_.data(), limits.data());
    std::uint64_t numbers = 1;
    for (const hsize_t size : extent_) {
      if (size == 0) {
        fail(Errc::bad_data, "the dataset is empty");
      }
      if (size > kMaxPerByte * file_size / numbers) {
        fail(Errc::corrupt_file,
             fmt::format("the dataset claims more numbers than a file of {} bytes can hold",
                         file_size));
      }
      numbers *= size;
    }
    shape_.rows = static_cast<Index>(extent_[0]);
    shape_.columns = static_cast<Index>(numbers / extent_[0]);
    shape_.label_columns = shape_.columns;
    shape_.is_list = rank == 1;
    shape_.text_labels = holds_text();
    if (shape_.text_labels && rank != 1) {
      fail(Errc::bad_data, "holds several columns of text; labels are one text per row");
    }
    const Handle creation(H5Dget_create_plist(dataset_.get()), H5Pclose);
    if (H5Pget_layout(creation.get()) == H5D_CHUNKED) {
      chunks_.emplace(dataset_.get(), extent_, limits, file_size);
    } else if (H5Dget_storage_size(dataset_.get()) != numbers * element_size()) {
      fail(Errc::corrupt_file, "the dataset is damaged or was not written completely");
    }
  }

  void read(Index first, Index count, hid_t memory_type, void* out) {
    const QuietErrors quiet;
    std::vector<hsize_t> start(extent_.size(), 0);
    std::vector<hsize_t> size = extent_;
    start[0] = static_cast<hsize_t>(first);
    size[0] = static_cast<hsize_t>(count);
    const int rank = static_cast<int>(size.size());
    const Handle from(H5Dget_space(dataset_.get()), H5Sclose);
    const Handle to(H5Screate_simple(rank, size.data(), nullptr), H5Sclose);
    const bool ok =
        (!chunks_ || chunks_->sound_up_to(start[0] + size[0])) &&
        H5Sselect_hyperslab(from.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(),
                            nullptr) >= 0 &&
        H5Dread(dataset_.get(), memory_type, to.get(), from.get(), H5P_DEFAULT, out) >= 0;
    if (!ok) {
      fail(Errc::corrupt_file,
           fmt::format(
               "rows {} to {} cannot be read: damaged, not written completely, or compressed "
               "with a filter other than gzip (convert with h5repack -f GZIP=6)",
               first + 1, first + count));
    }
  }

  std::string name_;
  Handle file_;
  Handle dataset_;
  std::optional<ChunkCheck> chunks_;
  std::vector<hsize_t> extent_;
  TableShape shape_;
  Index feature_row_ = 0;
  Index label_row_ = 0;
};

}  // namespace

std::unique_ptr<TableReader> open_h5(const std::string& path) {
  return std::make_unique<H5Reader>(path);
}

}  // namespace structhash::data
