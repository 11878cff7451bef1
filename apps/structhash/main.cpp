#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "application.hpp"
#include "interrupt.hpp"
#include "structhash/core/error.hpp"

namespace {

/// Destructors of the JSON library allocate memory.  If that fails, the program terminates here.
/// Existing files are unchanged; a file being written stays as FILE.tmp-PID-N.
[[noreturn]] void end_without_memory() {
  try {
    if (const auto problem = std::current_exception()) {
      std::rethrow_exception(problem);
    }
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kText =
        "structhash: error: out of memory; the program could not shut down cleanly\n";
    static_cast<void>(::write(STDERR_FILENO, kText.data(), kText.size()) == 0);
    ::_exit(static_cast<int>(structhash::Errc::io));
  } catch (...) {  // NOLINT(bugprone-empty-catch): a bug
  }
  std::abort();
}

/// OpenBLAS reserves memory for every processor while it is loaded, and retries for ever if it gets
/// none (`ulimit -v`).  This runs before it is loaded and starts the program again for one BLAS
/// thread, which is all that we use.
void start_with_little_memory(int /*argc*/, char** argv, char** environment) {
  constexpr rlim_t kEnough = rlim_t{8} << 30U;
  constexpr std::size_t kMaxVariables = 4096;
  constexpr std::string_view kName = "OPENBLAS_NUM_THREADS=";
  static std::array<char, 32> one{"OPENBLAS_NUM_THREADS=1"};
  static std::array<char*, kMaxVariables + 2> variables;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= kEnough) {
    return;
  }
  std::size_t count = 0;
  for (; environment[count] != nullptr; ++count) {
    if (count == kMaxVariables || std::string_view(environment[count]).starts_with(kName)) {
      return;
    }
    variables[count] = environment[count];
  }
  variables[count] = one.data();
  ::execve("/proc/self/exe", argv, variables.data());  // if it fails, go on as before
}

[[gnu::used, gnu::section(".preinit_array")]] void (*const before_libraries)(int, char**, char**) =
    start_with_little_memory;

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_without_memory);
  structhash::cli::install_interrupt_handlers();
  return structhash::cli::run(argc, argv);
}
