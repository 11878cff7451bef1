#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "data/byte_source.hpp"
#include "data/public_sets.hpp"
#include "data/sha256.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/types.hpp"

namespace structhash {
namespace {

namespace fs = std::filesystem;

/// Size and checksum of the content of a file; gzipped files are unpacked.
struct Content {
  std::int64_t size = 0;
  std::string sha256;
};

/// Reading stops after `max_size` bytes (-1: never): a longer file is wrong anyway.
Content content_of(const std::string& path, std::int64_t max_size) {
  constexpr std::size_t kPiece = 1U << 20U;
  data::ByteSource source(path);
  data::Sha256 sum;
  std::vector<char> piece(kPiece);
  Content content;
  while (max_size < 0 || content.size <= max_size) {
    const std::size_t got =
        source.read_some(static_cast<std::uint64_t>(content.size), piece.data(), piece.size());
    sum.add(piece.data(), got);
    content.size += static_cast<std::int64_t>(got);
    if (got < piece.size()) {
      break;
    }
  }
  content.sha256 = sum.hex_digest();
  return content;
}

void compare(const PublicFile& file, const std::string& path, FileCheck& check) {
  if (file.size < 0 && file.sha256.empty()) {
    check.state = FileState::unverified;
    check.detail = "no checksum known";
    return;
  }
  const Content content = content_of(path, file.size);
  if (content.size != file.size) {
    check.state = FileState::wrong;
    check.detail = content.size > file.size
                       ? fmt::format("expected {} bytes, got more", file.size)
                       : fmt::format("expected {} bytes, got {}", file.size, content.size);
  } else if (file.sha256.empty()) {
    check.state = FileState::unverified;
    check.detail = fmt::format("{} bytes, as expected; no checksum known", file.size);
  } else if (content.sha256 != file.sha256) {
    check.state = FileState::wrong;
    check.detail = fmt::format("expected sha256 {}, got {}", file.sha256, content.sha256);
  } else {
    check.state = FileState::ok;
  }
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// The file under its own name or packed, or nothing.
std::optional<fs::path> find_file(const fs::path& folder, const PublicFile& file) {
  for (const char* const ending : {"", ".gz"}) {
    fs::path path = folder / (std::string(file.name) + ending);
    if (is_file(path)) {
      return path;
    }
  }
  return std::nullopt;
}

/// A name that occurs in one set only identifies the set; x.npy does not.
bool is_distinctive(const PublicFile& file) {
  return std::ranges::count_if(public_sets(), [&](const PublicSet& set) {
           return std::ranges::any_of(
               set.files, [&](const PublicFile& other) { return other.name == file.name; });
         }) == 1;
}

/// The folder of a set: the subfolder of its name, or the given folder itself.
std::optional<fs::path> find_set(const fs::path& folder, const PublicSet& set) {
  std::error_code error;
  if (fs::is_directory(folder / set.folder, error)) {
    return folder / set.folder;
  }
  const bool is_its_folder = fs::canonical(folder, error).filename() == set.folder;
  const bool holds_its_files = std::ranges::any_of(set.files, [&](const PublicFile& file) {
    return is_distinctive(file) && find_file(folder, file).has_value();
  });
  return is_its_folder || holds_its_files ? std::optional(folder) : std::nullopt;
}

class Checker {
 public:
  Checker(fs::path folder, const ProgressCallback& on_progress)
      : folder_(std::move(folder)), on_progress_(on_progress) {}

  std::vector<FileCheck> run() {
    std::set<fs::path> places{folder_};
    std::vector<FileCheck> absent;
    bool is_one_set = false;
    for (const PublicSet& set : public_sets()) {
      if (const auto place = find_set(folder_, set)) {
        places.insert(*place);
        is_one_set = is_one_set || *place == folder_;
        check_set(set, *place);
      } else {
        absent.push_back(
            {std::string(set.name), std::string(set.folder), FileState::missing,
             "no file of this data set was found; source: " + std::string(set.source)});
      }
    }
    if (!is_one_set) {
      checks_.insert(checks_.end(), absent.begin(), absent.end());
    }
    for (const fs::path& place : places) {
      list_unknown(place);
    }
    return std::move(checks_);
  }

 private:
  std::string relative(const fs::path& path) const {
    return path.lexically_relative(folder_).string();
  }

  void check_set(const PublicSet& set, const fs::path& place) {
    if (set.files.empty()) {
      checks_.push_back({std::string(set.name), relative(place), FileState::unverified,
                         "this data set has no fixed published form"});
      return;
    }
    for (const PublicFile& file : set.files) {
      const auto path = find_file(place, file);
      FileCheck check{std::string(set.name), relative(path.value_or(place / file.name)),
                      FileState::missing, ""};
      report(on_progress_,
             {"checking", to_double(static_cast<Index>(named_.size())), 0.0, check.path});
      if (path) {
        named_.insert(*path);
        check_file(file, *path, check);
      }
      checks_.push_back(std::move(check));
    }
  }

  /// A file that cannot be unpacked is wrong; a file that cannot be read is an error.
  static void check_file(const PublicFile& file, const fs::path& path, FileCheck& check) {
    try {
      compare(file, path.string(), check);
    } catch (const Error& error) {
      if (error.code() == Errc::io) {
        throw;
      }
      check.state = FileState::wrong;
      check.detail = error.what();
    }
  }

  void list_unknown(const fs::path& place) {
    std::set<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(place)) {
      paths.insert(entry.path());
    }
    for (const fs::path& path : paths) {
      if (is_file(path) && !named_.contains(path)) {
        checks_.push_back(
            {"", relative(path), FileState::unknown, "not a file of a known data set"});
      }
    }
  }

  fs::path folder_;
  const ProgressCallback& on_progress_;
  std::set<fs::path> named_;  // files that belong to a data set
  std::vector<FileCheck> checks_;
};

}  // namespace

std::vector<FileCheck> check_public_sets(const std::string& folder,
                                         const ProgressCallback& on_progress) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail(Errc::io, fmt::format("{}: is not a readable folder", folder));
  }
  try {
    return Checker(folder, on_progress).run();
  } catch (const fs::filesystem_error& problem) {
    fail(Errc::io,
         fmt::format("{}: cannot be read: {}", problem.path1().string(), problem.code().message()));
  }
}

}  // namespace structhash
