#include <unistd.h>

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

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_without_memory);
  structhash::cli::install_interrupt_handlers();
  return structhash::cli::run(argc, argv);
}
