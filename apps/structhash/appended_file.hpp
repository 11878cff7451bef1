#pragma once

#include <string>
#include <string_view>

/// A file that grows: each piece is in it as a whole or not at all.
namespace structhash::cli {

class AppendedFile {
 public:
  /// The file must be there.  Throws Errc::io.
  explicit AppendedFile(std::string path);
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  /// One write and one sync, so that a kill finds the piece there or not; what a full disk cuts off
  /// is taken back.  Throws Errc::io.
  void append(std::string_view piece);

 private:
  std::string path_;
  int descriptor_;
};

}  // namespace structhash::cli
