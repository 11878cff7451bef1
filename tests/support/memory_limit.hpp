#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace structhash::test {

/// The address and thread sanitizers need memory and time of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
inline constexpr bool kSanitized = false;
#else
inline constexpr bool kSanitized = true;
#endif

/// While it lives, the process may ask for `bytes` more memory and not one page beyond: whoever
/// allocates what a file merely claims gets std::bad_alloc.  Without effect under the address and
/// thread sanitizers, which need the address space for themselves; there the fuzz targets have a
/// limit.
class MemoryLimit {
 public:
  explicit MemoryLimit(rlim_t bytes) {
    if (kSanitized) {
      return;
    }
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    rlimit limited = before_;
    limited.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes;
    active_ = setrlimit(RLIMIT_AS, &limited) == 0;
  }
  ~MemoryLimit() {
    if (active_) {
      setrlimit(RLIMIT_AS, &before_);
    }
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
  bool active_ = false;
};

}  // namespace structhash::test
