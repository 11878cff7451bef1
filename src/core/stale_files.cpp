#include "core/stale_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <string_view>

namespace structhash {
namespace {

constexpr std::string_view kMark = ".tmp-";

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Is `name` a temporary name of the file `target`?
bool is_temporary_of(std::string_view name, std::string_view target) {
  if (!name.starts_with(target) || !name.substr(target.size()).starts_with(kMark)) {
    return false;
  }
  const std::string_view numbers = name.substr(target.size() + kMark.size());
  const auto dash = numbers.find('-');
  return dash != std::string_view::npos && is_number(numbers.substr(0, dash)) &&
         is_number(numbers.substr(dash + 1));
}

bool linked(int descriptor) {
  struct stat status{};
  return ::fstat(descriptor, &status) == 0 && status.st_nlink > 0 && S_ISREG(status.st_mode);
}

void remove_if_stale(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    return;
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && linked(descriptor)) {
    ::unlink(path.c_str());
  }
  ::close(descriptor);
}

}  // namespace

std::string temporary_name(const std::string& target, int attempt) {
  return fmt::format("{}{}{}-{}", target, kMark, ::getpid(), attempt);
}

bool mark_as_alive(int descriptor) {
  const bool locked = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  return (locked || errno != EWOULDBLOCK) && linked(descriptor);
}

/// Not std::filesystem: its iterator terminates the program when it is out of memory.
void remove_stale_files(const std::string& target) noexcept {
  try {
    const auto slash = target.rfind('/');
    const std::string folder = slash == std::string::npos ? "./" : target.substr(0, slash + 1);
    const std::string_view name =
        std::string_view(target).substr(slash == std::string::npos ? 0 : slash + 1);
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
    while (const dirent* entry = entries ? ::readdir(entries.get()) : nullptr) {
      if (is_temporary_of(entry->d_name, name)) {
        remove_if_stale(folder + entry->d_name);
      }
    }
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
    // stale files do no harm
  }
}

}  // namespace structhash
