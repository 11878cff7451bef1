#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/core/progress.hpp"

/// Public data sets for comparing hashing methods: sources, licences, and checks of downloaded
/// files.  Nothing is ever downloaded.
namespace structhash {

/// One file of a data set.  Gzipped files (name.gz) are compared by content, because programs
/// compress the same bytes differently.
struct PublicFile {
  std::string_view name;
  std::int64_t size = -1;   // bytes; -1: not known
  std::string_view sha256;  // 64 hexadecimal digits; empty: not known
};

struct PublicSet {
  std::string_view name;
  std::string_view folder;   // of its files, inside the folder of all data sets
  std::string_view summary;  // items, features, classes
  std::string_view source;   // the public page
  std::string_view licence;
  std::span<const PublicFile> files;  // empty: published in no fixed form
};

/// One line per data set.
std::span<const PublicSet> public_sets();

enum class FileState {
  ok,          // size and checksum match
  unverified,  // no checksum is known; the size matches or is not known either
  wrong,       // size or checksum differs
  missing,
  unknown,  // not a file of any data set
};

std::string_view file_state_name(FileState state);

struct FileCheck {
  std::string set;   // empty for unknown files
  std::string path;  // relative to the folder that was checked
  FileState state = FileState::unknown;
  std::string detail;  // expected and found values, or why they cannot be compared
};

/// Checks the files in `folder` (the folder of one set, or the parent of several) and in the
/// subfolders of known data sets.  A set without any file gives one entry, unless `folder` belongs
/// to another set.
std::vector<FileCheck> check_public_sets(const std::string& folder,
                                         const ProgressCallback& on_progress = {});

}  // namespace structhash
