#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "data/byte_source.hpp"
#include "data/table_reader.hpp"
#include "structhash/data/loaders.hpp"

namespace structhash::data {

std::unique_ptr<TableReader> open_npy(const std::string& path);
std::unique_ptr<TableReader> open_npz(const std::string& path);
std::unique_ptr<TableReader> open_idx(const std::string& path);
std::unique_ptr<TableReader> open_cifar10(const std::string& path);
std::unique_ptr<TableReader> open_cifar100(const std::string& path);
std::unique_ptr<TableReader> open_stl10(const std::string& path);
std::unique_ptr<TableReader> open_stl10_labels(const std::string& path);
std::unique_ptr<TableReader> open_fvecs(const std::string& path);
std::unique_ptr<TableReader> open_bvecs(const std::string& path);
std::unique_ptr<TableReader> open_ivecs(const std::string& path);
std::unique_ptr<TableReader> open_fbin(const std::string& path);
std::unique_ptr<TableReader> open_u8bin(const std::string& path);
std::unique_ptr<TableReader> open_i8bin(const std::string& path);
std::unique_ptr<TableReader> open_ibin(const std::string& path);
std::unique_ptr<TableReader> open_csv(const std::string& path, const TableOptions& options);
std::unique_ptr<TableReader> open_csv_label(const std::string& path, const TableOptions& options);
std::unique_ptr<TableReader> open_libsvm(const std::string& path);
std::unique_ptr<TableReader> open_libsvm0(const std::string& path);
std::unique_ptr<TableReader> open_h5(const std::string& path);

/// An array that is read from its first byte on.
std::unique_ptr<TableReader> read_npy(std::unique_ptr<ByteSource> source);

struct FormatEntry {
  FormatInfo info;
  std::unique_ptr<TableReader> (*open)(const std::string& path) = nullptr;
  /// In place of `open` for formats with a header and columns.
  std::unique_ptr<TableReader> (*open_columns)(const std::string& path,
                                               const TableOptions& options) = nullptr;
};

/// One line per format.  The first whose pattern matches the file name, without ".gz", is used.
inline constexpr std::array kFormats{
    FormatEntry{{"npy", "*.npy", "NumPy array"}, open_npy},
    FormatEntry{{"npz", "*.npz *.npz:*", "NumPy arrays, spelled file.npz:name"}, open_npz},
    FormatEntry{{"idx", "*idx?-ubyte *.idx *.idx?", "MNIST's format"}, open_idx},
    FormatEntry{{"cifar10", "*data_batch_*.bin *test_batch.bin", "CIFAR-10 binary, with labels"},
                open_cifar10},
    FormatEntry{{"cifar100", "", "CIFAR-100 binary, with fine labels"}, open_cifar100},
    FormatEntry{{"stl10", "*_x.bin", "STL-10 images, 96x96x3 bytes a row"}, open_stl10},
    FormatEntry{{"stl10-labels", "*_y.bin", "STL-10 labels, 1 byte a row"}, open_stl10_labels},
    FormatEntry{{"fvecs", "*.fvecs", "32-bit floats, dimension before each row"}, open_fvecs},
    FormatEntry{{"bvecs", "*.bvecs", "bytes, dimension before each row"}, open_bvecs},
    FormatEntry{{"ivecs", "*.ivecs", "32-bit integers, dimension before each row"}, open_ivecs},
    FormatEntry{{"fbin", "*.fbin", "32-bit floats after rows and columns"}, open_fbin},
    FormatEntry{{"u8bin", "*.u8bin", "bytes after rows and columns"}, open_u8bin},
    FormatEntry{{"i8bin", "*.i8bin", "signed bytes after rows and columns"}, open_i8bin},
    FormatEntry{{"ibin", "*.ibin", "32-bit integers after rows and columns"}, open_ibin},
    FormatEntry{{"csv", "*.csv *.tsv", "text: columns between commas, semicolons or tabs"},
                nullptr,
                open_csv},
    FormatEntry{{"csv-label", "*isolet*.data", "csv whose last column is the class"},
                nullptr,
                open_csv_label},
    FormatEntry{{"libsvm", "*.libsvm *.svm *.svmlight", "sparse text, with labels and qid"},
                open_libsvm},
    FormatEntry{{"libsvm0", "", "libsvm with columns counted from 0"}, open_libsvm0},
    FormatEntry{{"h5", "*.h5 *.hdf5 *.h5:* *.hdf5:*", "HDF5, spelled file.h5:path/inside"},
                open_h5},
};

/// Opens a file in the format of the options.
std::unique_ptr<TableReader> open_table(const std::string& path, const TableOptions& options);

/// TableReader::description of the file; empty, without opening it, for formats without columns.
std::string describe_table(const std::string& path, const TableOptions& options);

}  // namespace structhash::data
