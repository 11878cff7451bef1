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
#include <memory>
#include <string>
#include <vector>

#include "structhash/data/loaders.hpp"
#include "structhash/data/npy_write.hpp"

/// Loading against what the machine allows, in the same run: MNIST from idx.gz against zcat, .npy
/// against memcpy from the mapped file.  Prints ratios; exits with 1 if a limit is missed.
namespace {

using structhash::Index;
using structhash::Matrix;

constexpr int kRepeats = 5;

/// The fastest of several runs: noise only ever adds time.
template <typename Action>
double best_seconds(const Action& action) {
  double best = 1e9;
  for (int i = 0; i < kRepeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    action();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count());
  }
  return best;
}

bool report(const std::string& what, double seconds, const std::string& peer, double peer_seconds,
            double limit) {
  const double ratio = seconds / peer_seconds;
  fmt::print("{:<34} {:8.1f} ms   {:<34} {:8.1f} ms   ratio {:5.2f}   limit {:4.2f}   {}\n", what,
             seconds * 1e3, peer, peer_seconds * 1e3, ratio, limit,
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
  const std::string path = STRUCTHASH_SHARED_DATA "/mnist/train-images-idx3-ubyte.gz";
  if (!std::filesystem::exists(path)) {
    fmt::print("MNIST is not at {}: skipped\n", path);
    return true;
  }
  const std::vector<std::string> files{path};
  double sum = 0.0;
  const double ours =
      best_seconds([&] { sum = structhash::load_features(files).cast<double>().row(0).sum(); });
  std::size_t bytes = 0;
  const double theirs = best_seconds([&] { bytes = zcat(path); });
  if (bytes != 16 + 60'000ULL * 784 || sum != 27'525.0) {  // the pixels of the first digit, a 5
    fmt::print("MNIST was read wrongly: {} bytes, first image {}\n", bytes, sum);
    return false;
  }
  return report("MNIST idx.gz to float", ours, "zcat", theirs, 3.0);
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
      x.data()[i] = static_cast<float>(i % 1'000'003);
    }
    structhash::save_npy(files[0], x);
  }
  bool right = true;
  const double ours = best_seconds([&] {
    const Matrix<float> x = structhash::load_features(files);
    right = right && x(rows - 1, columns - 1) == static_cast<float>((x.size() - 1) % 1'000'003);
  });
  const double streamed = best_seconds([&] {
    const auto reader = structhash::open_features(files);
    Matrix<float> block;
    Index total = 0;
    while (const Index count = reader->read(1024, block)) {
      total += count;
    }
    right = right && total == rows;
  });
  const Mapping mapping(files[0]);
  const std::size_t bytes = static_cast<std::size_t>(rows * columns) * sizeof(float);
  const char* numbers = static_cast<const char*>(mapping.data) + (mapping.size - bytes);
  const double fresh = best_seconds([&] {
    const std::unique_ptr<float[]> copy(new float[bytes / sizeof(float)]);
    std::memcpy(copy.get(), numbers, bytes);
    right = right && copy[1] == 1.0F;
  });
  const std::unique_ptr<char[]> block(new char[1U << 21U]);
  const double warm = best_seconds([&] {
    for (std::size_t at = 0; at < bytes; at += 1U << 21U) {
      std::memcpy(block.get(), numbers + at, std::min<std::size_t>(1U << 21U, bytes - at));
      right = right && block[0] == numbers[at];
    }
  });
  if (!right) {
    fmt::print("the .npy file was read wrongly\n");
    return false;
  }
  const bool whole = report(".npy 512 MiB, whole", ours, "memcpy into fresh memory", fresh, 1.25);
  return report(".npy 512 MiB, in blocks", streamed, "memcpy into a block of 2 MiB", warm, 1.75) &&
         whole;
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
