#include "interrupt.hpp"

#include <csignal>

#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

// A signal handler can access static variables only.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
StopFlag stop_requested;

extern "C" void remember_signal(int /*signal*/) {
  stop_requested.raise();
}

}  // namespace

void install_interrupt_handlers() {
  struct sigaction action{};
  action.sa_handler = remember_signal;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);  // the second signal kills
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A file over the size limit of the shell then makes write() fail, with exit code 5.
  action.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &action, nullptr);
}

bool interrupted() {
  return stop_requested.raised();
}

Threads interruptible(int threads) {
  return {threads, stop_requested};
}

void stop_if_interrupted() {
  if (interrupted()) {
    fail(Errc::interrupted, "stopped on request; nothing was written");
  }
}

}  // namespace structhash::cli
