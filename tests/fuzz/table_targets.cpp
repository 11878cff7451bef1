#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/expect.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"
#include "structhash/data/loaders.hpp"

/// Every file format of features and labels: read by blocks, as encoding does, and as labels.
namespace structhash::fuzz {
namespace {

constexpr Index kMaxNumbers = 1 << 22;  // of a block: sparse formats may claim a wide table

void read_features(const std::vector<std::string>& files, std::string_view format) {
  const auto reader = open_features(files, {.format = std::string(format)});
  expect(reader->rows() >= 1 && reader->dimension() >= 1, "a table without numbers");
  const Index rows = std::max<Index>(1, kMaxNumbers / reader->dimension());
  Matrix<float> block;
  for (Index left = reader->rows(); left > 0; left -= block.rows()) {
    expect(reader->read(std::min(rows, left), block) == std::min(rows, left), "too few rows");
    expect(block.allFinite(), "features that are not finite");
    if (reader->dimension() > kMaxNumbers) {
      return;  // one row is enough
    }
  }
  expect(reader->read(1, block) == 0, "more rows than were claimed");
}

void read_table(Bytes bytes, std::initializer_list<std::string_view> formats) {
  const MemoryFile file(bytes);
  const std::vector<std::string> files{file.path()};
  for (const std::string_view format : formats) {
    result_or_error([&] { read_features(files, format); });
    result_or_error([&] {
      const Labels labels = load_labels(files, {.format = std::string(format)});
      expect(labels.size() >= 1, "labels without rows");
    });
  }
}

}  // namespace

void read_npy(Bytes bytes) {
  read_table(bytes, {"npy", "npz"});
}
void read_idx(Bytes bytes) {
  read_table(bytes, {"idx"});
}
void read_vectors(Bytes bytes) {
  read_table(bytes, {"fvecs", "bvecs", "ivecs", "fbin", "u8bin", "i8bin", "ibin"});
}
void read_images(Bytes bytes) {
  read_table(bytes, {"cifar10", "cifar100", "stl10", "stl10-labels"});
}
void read_csv(Bytes bytes) {
  read_table(bytes, {"csv", "csv-label"});
}
void read_libsvm(Bytes bytes) {
  read_table(bytes, {"libsvm", "libsvm0"});
}

}  // namespace structhash::fuzz
