#include <string>

#include "data/h5_files.hpp"
#include "fuzz/expect.hpp"
#include "fuzz/targets.hpp"
#include "structhash/data/loaders.hpp"
#include "support/temporary_folder.hpp"

/// The part of HDF5 that is ours: the name of a file with a path inside.  The content is read by
/// the HDF5 library, which leaks and may crash on damaged files whatever we do in one process
/// (tests/data/damaged_files_test.cpp tries every byte, in processes of their own).
namespace structhash::fuzz {
namespace {

class SampleFile {
 public:
  SampleFile() : path_(folder_.file("x.h5")) {
    const test::H5Writer file(path_);
    file.write_floats("g/x", {2, 2}, {1, 2, 3, 4});
    file.write_floats("deep/er/y", {2, 1}, {5, 6}, 1);
  }
  const std::string& path() const { return path_; }

 private:
  test::TemporaryFolder folder_;
  std::string path_;
};

}  // namespace

void read_h5_name(Bytes bytes) {
  static const SampleFile sample;
  const std::vector<std::string> names{sample.path() + ":" +
                                       std::string(bytes.begin(), bytes.end())};
  result_or_error([&] {
    const Matrix<float> x = load_features(names, {.format = "h5"});
    expect(x.rows() == 2 && x.allFinite(), "a table that is not in the file");
  });
}

}  // namespace structhash::fuzz
