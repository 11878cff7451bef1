#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/core/progress.hpp"

/// The public data sets that hashing methods are compared on: where they come from, under which
/// terms, and whether the files somebody has are theirs.  Nothing is ever downloaded.
namespace structhash {

/// One file of a data set.  Gzipped files (name.gz) count by their content, since two programs
/// pack the same bytes into different files.
struct PublicFile {
  std::string_view name;
  std::int64_t size = -1;   // bytes; -1: not known
  std::string_view sha256;  // 64 hexadecimal digits; empty: not known
};

struct PublicSet {
  std::string_view name;
  std::string_view folder;   // where its files lie, below the folder of all data sets
  std::string_view summary;  // items, features, classes
  std::string_view source;   // the public page
  std::string_view licence;
  std::span<const PublicFile> files;  // empty: published in no fixed form
};

/// One line per data set.
std::span<const PublicSet> public_sets();

enum class FileState {
  ok,          // size and checksum are right
  unverified,  // the size is right, or not known either; no checksum is known
  wrong,       // another size or checksum
  missing,
  unknown,  // a file that no data set names
};

std::string_view file_state_name(FileState state);

struct FileCheck {
  std::string set;   // empty for unknown files
  std::string path;  // relative to the folder that was checked
  FileState state = FileState::unknown;
  std::string detail;  // what was expected and found, or why nothing can be said
};

/// Compares every file in `folder`, which may be that of one set, and in its folders that bear the
/// name of a data set.  Of a set of which nothing is there, one line says so, unless `folder` is
/// that of another.
std::vector<FileCheck> check_public_sets(const std::string& folder,
                                         const ProgressCallback& on_progress = {});

}  // namespace structhash
