#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/npy_write.hpp"
#include "structhash/data/loaders.hpp"
#include "support/places.hpp"

/// Loading against what the machine allows, in the same run: MNIST from idx.gz against zcat, .npy
/// against memcpy from the mapped file.  Prints ratios; exits with 1 if a limit is missed.
namespace {

using structhash::Index;
using structhash::Matrix;

constexpr int kRepeats = 7;
constexpr Index kPeriod = 1'000'003;  // of the numbers written, exact as floats

double seconds_of(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Ours and the peer in turns, the fastest run of each: other programs only ever add time.
bool compare(const std::string& what, const std::function<void()>& ours, const std::string& peer,
             const std::function<void()>& theirs, double limit) {
  double our_seconds = 1e9;
  double their_seconds = 1e9;
  for (int i = 0; i < kRepeats; ++i) {
    our_seconds = std::min(our_seconds, seconds_of(ours));
    their_seconds = std::min(their_seconds, seconds_of(theirs));
  }
  const double ratio = our_seconds / their_seconds;
  fmt::print("{:<24} {:7.1f} ms   {:<29} {:7.1f} ms   ratio {:5.2f}   limit {:4.2f}   {}\n", what,
             our_seconds * 1e3, peer, their_seconds * 1e3, ratio, limit,
             ratio <= limit ? "pass" : "FAIL");
  return ratio <= limit;
}

/// Runs zcat and reads all it writes, as a pipeline would.
std::size_t zcat(const std::string& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("zcat '" + path + "'").c_str(), "r"),
                                                   pclose);
  std::vector<char> buffer(1U << 18U);
  std::size_t total = 0;
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    total += got;
  }
  return total;
}

bool mnist_against_zcat() {
  const std::string path = structhash::test::in_shared_data("mnist/train-images-idx3-ubyte.gz");
  if (!std::filesystem::exists(path)) {
    fmt::print("MNIST is not at {}: skipped\n", path);
    return true;
  }
  const std::vector<std::string> files{path};
  double first_image = 0.0;
  std::size_t bytes = 0;
  const bool passed = compare(
      "MNIST idx.gz to float",
      [&] { first_image = structhash::load_features(files).row(0).cast<double>().sum(); }, "zcat",
      [&] { bytes = zcat(path); }, 3.0);
  if (bytes != 16 + 60'000ULL * 784 || first_image != 27'525.0) {  // the pixels of a 5, summed
    fmt::print("MNIST was read wrongly: {} bytes, first image {}\n", bytes, first_image);
    return false;
  }
  return passed;
}

struct Mapping {
  explicit Mapping(const std::string& path) : size(std::filesystem::file_size(path)) {
    const int descriptor = open(path.c_str(), O_RDONLY);
    data = mmap(nullptr, size, PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    close(descriptor);
  }
  ~Mapping() { munmap(data, size); }
  std::size_t size;
  void* data;
};

/// The peer gets the numbers to where a caller wants them: from the mapped file, all pages present,
/// into memory fresh from the system, as ours is.
bool npy_against_memcpy(const std::string& folder) {
  const std::vector<std::string> files{folder + "/x.npy"};
  const Index rows = 1 << 18;
  const Index columns = 512;
  {
    Matrix<float> x(rows, columns);
    for (Index i = 0; i < x.size(); ++i) {
      x.data()[i] = static_cast<float>(i % kPeriod);
    }
    structhash::save_npy(files[0], x);
  }
  const Mapping mapping(files[0]);
  const std::size_t bytes = static_cast<std::size_t>(rows * columns) * sizeof(float);
  const char* numbers = static_cast<const char*>(mapping.data) + (mapping.size - bytes);
  bool right = true;
  const bool whole = compare(
      ".npy 512 MiB, whole",
      [&] {
        const Matrix<float> x = structhash::load_features(files);
        right = right && x(rows - 1, columns - 1) == static_cast<float>((x.size() - 1) % kPeriod);
      },
      "memcpy into fresh memory",
      [&] {
        const std::unique_ptr<float[]> copy(new float[bytes / sizeof(float)]);
        std::memcpy(copy.get(), numbers, bytes);
        right = right && copy[1] == 1.0F;
      },
      1.25);
  const std::size_t block_bytes = 1U << 21U;
  const std::unique_ptr<char[]> block(new char[block_bytes]);
  // The memory stays in the cache, so that the pass for NaN, too, is seen beside the copy.
  const bool streamed = compare(
      ".npy 512 MiB, in blocks",
      [&] {
        const auto reader = structhash::open_features(files);
        Matrix<float> rows_read;
        Index total = 0;
        while (const Index count = reader->read(1024, rows_read)) {
          total += count;
        }
        right = right && total == rows;
      },
      "memcpy into a block of 2 MiB",
      [&] {
        for (std::size_t at = 0; at < bytes; at += block_bytes) {
          std::memcpy(block.get(), numbers + at, std::min(block_bytes, bytes - at));
          right = right && block[0] == numbers[at];
        }
      },
      2.0);
  if (!right) {
    fmt::print("the .npy file was read wrongly\n");
  }
  return right && whole && streamed;
}

}  // namespace

int main() {
  std::string folder =
      (std::filesystem::temp_directory_path() / "structhash_loaders_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    fmt::print("cannot make a folder for temporary files\n");
    return 1;
  }
  const bool images = mnist_against_zcat();
  const bool arrays = npy_against_memcpy(folder);
  std::filesystem::remove_all(folder);
  return images && arrays ? 0 : 1;
}
