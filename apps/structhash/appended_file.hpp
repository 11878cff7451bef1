#pragma once

#include <string>
#include <string_view>

/// A file that grows by whole pieces: each is written completely or not at all.
namespace structhash::cli {

class AppendedFile {
 public:
  /// Takes over the open descriptor of the file.
  AppendedFile(std::string path, int descriptor);
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  /// One write and one sync; a partial write, on a full disk for example, is removed again.
  /// Throws Errc::io.
  void append(std::string_view piece);

 private:
  std::string path_;
  int descriptor_;
};

}  // namespace structhash::cli
