#include "results_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/text_file.hpp"
#include "structhash/core/error.hpp"
#include "structhash/report/result_files.hpp"

namespace structhash::cli {

namespace {

/// Holds a lock on a file, which is created if it does not exist.
class FileLock {
 public:
  /// Throws Errc::io if another process holds it.  A holder may replace the file by another one, so
  /// the lock is on the file that has the name afterwards.
  explicit FileLock(const std::string& path) {
    do {
      close();
      descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
      if (descriptor_ < 0) {
        fail(Errc::io, fmt::format("cannot open {}: {}", path, std::strerror(errno)));
      }
      if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close();
        fail(Errc::io, path +
                           " is in use by another experiment; wait for it, or give --results "
                           "another file");
      }
    } while (!has_name(path));
  }
  ~FileLock() { close(); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  bool has_name(const std::string& path) const {
    struct stat own{};
    struct stat named{};
    return ::fstat(descriptor_, &own) == 0 && ::stat(path.c_str(), &named) == 0 &&
           own.st_dev == named.st_dev && own.st_ino == named.st_ino;
  }
  void close() {
    if (descriptor_ >= 0) {
      ::close(std::exchange(descriptor_, -1));
    }
  }

  int descriptor_ = -1;
};

}  // namespace

ResultsFile::ResultsFile(std::string path, std::span<const PlannedCell> plan)
    : path_(std::move(path)) {
  require_regular_file(path_);
  const FileLock lock(path_);  // until the new file is locked
  rows_ = load_rows(path_);
  for (const ResultRow& row : rows_) {
    hashes_.insert(row.config_hash);
  }
  std::erase_if(rows_, [&](const ResultRow& row) {
    return std::ranges::any_of(plan, [&](const PlannedCell& planned) {
      return has(planned) && belongs(row, planned.cell) && row.config_hash != planned.hash;
    });
  });
  AtomicFile file(path_);
  for (const ResultRow& row : rows_) {
    file.write(to_json(row) + "\n");
  }
  file_.emplace(path_, file.commit_locked());
}

bool ResultsFile::has_stale(const PlannedCell& planned) const {
  return !has(planned) && std::ranges::any_of(rows_, [&](const ResultRow& row) {
    return belongs(row, planned.cell);
  });
}

void ResultsFile::append(std::span<const DetailedRow> rows) {
  std::string lines;
  for (const DetailedRow& entry : rows) {
    if (entry.details) {
      save_details(details_path(path_, entry.row), *entry.details);
    }
    lines += to_json(entry.row) + "\n";
    rows_.push_back(entry.row);
    hashes_.insert(entry.row.config_hash);
  }
  file_->append(lines);
}

std::vector<ResultRow> ResultsFile::rows_of(std::span<const PlannedCell> plan, bool stale) const {
  std::vector<ResultRow> found;
  for (const PlannedCell& planned : plan) {
    const bool old = stale && has_stale(planned);
    std::ranges::copy_if(rows_, std::back_inserter(found), [&](const ResultRow& row) {
      return old ? belongs(row, planned.cell) : row.config_hash == planned.hash;
    });
  }
  return found;
}

}  // namespace structhash::cli
