#pragma once

#include <nanobind/nanobind.h>

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"

/// Ctrl-C and progress while the library works without Python's lock.
namespace structhash::python {

namespace nb = nanobind;

/// Takes the lock and throws what Python's signal handlers raise, KeyboardInterrupt for Ctrl-C.
/// For the pauses between blocks of long work.
void raise_pending_signals();

/// Runs long work on a thread of its own, while the caller's thread, the only one on which Python
/// handles signals, looks every 50 ms for Ctrl-C and tells Python how far the work is.  What Python
/// raises stops the work at the next block of a loop or at its next report.
class ProgressRelay {
 public:
  /// `callback(stage, done, total, detail)`, or None.
  explicit ProgressRelay(nb::object callback) : callback_(std::move(callback)) {}

  /// What the work reports to, from any thread.
  ProgressCallback callback();
  /// What stops the work between two reports.
  const StopFlag& stop() const { return stop_; }
  /// Throws what the work threw or, if Python stopped it, what Python raised.  Needs the GIL.
  void run(const std::function<void()>& work);

 private:
  void work_and_signal(const std::function<void()>& work);
  void watch();
  void tell_python();

  nb::object callback_;
  StopFlag stop_;
  std::mutex mutex_;  // of what follows
  std::condition_variable finished_;
  bool done_ = false;
  std::optional<Progress> latest_;
  std::exception_ptr thrown_;  // by the work
  std::exception_ptr raised_;  // by Python; of the caller's thread alone
};

}  // namespace structhash::python
