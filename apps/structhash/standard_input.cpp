#include "standard_input.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

constexpr const char* kFolder = "/proc/self/fd/";

/// A file without a name, so that nothing is left behind.
int temporary_file() {
  std::string name = (std::filesystem::temp_directory_path() / "structhash-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0 || unlink(name.c_str()) != 0) {
    fail(Errc::io,
         fmt::format("cannot store standard input in {}: {}", name, std::strerror(errno)));
  }
  return file;
}

void copy_to(int file) {
  std::array<char, 1U << 16U> buffer{};
  while (true) {
    const ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got == 0) {
      return;
    }
    ssize_t written = 0;
    while (got > 0 && written < got) {
      const ssize_t more =
          write(file, buffer.data() + written, static_cast<std::size_t>(got - written));
      if (more < 0) {
        fail(Errc::io, fmt::format("cannot store standard input in a temporary file: {}",
                                   std::strerror(errno)));
      }
      written += more;
    }
    if (got < 0 && errno != EINTR) {
      fail(Errc::io, fmt::format("cannot read standard input: {}", std::strerror(errno)));
    }
  }
}

}  // namespace

void replace_standard_input(std::vector<std::string>& paths) {
  for (std::string& path : paths) {
    if (path == "-") {
      const int file = temporary_file();
      copy_to(file);
      path = kFolder + std::to_string(file);
    }
  }
}

void run_with_readable_errors(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    std::string message = error.what();
    const std::size_t start = message.find(kFolder);
    if (start == std::string::npos) {
      throw;
    }
    const std::size_t digits = start + std::strlen(kFolder);
    const std::size_t end =
        std::min(message.find_first_not_of("0123456789", digits), message.size());
    fail(error.code(), message.replace(start, end - start, "standard input"));
  }
}

}  // namespace structhash::cli
