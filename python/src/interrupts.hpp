#pragma once

#include <nanobind/nanobind.h>

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"

/// Ctrl-C and progress while the library works without the GIL.
namespace structhash::python {

namespace nb = nanobind;

/// Takes the GIL and throws what Python's signal handlers raise, KeyboardInterrupt for Ctrl-C.
/// Called between blocks of long work.
void raise_pending_signals();

/// Runs long work on a second thread.  The caller's thread, the only one on which Python handles
/// signals, checks for Ctrl-C every 50 ms and reports progress to Python.  An exception of Python
/// stops the work at the next block of a loop or at its next report.
class ProgressRelay {
 public:
  /// `callback(stage, done, total, detail)`, or None.
  explicit ProgressRelay(nb::object callback) : callback_(std::move(callback)) {}

  /// The callback for the work; any thread may call it.
  ProgressCallback callback();
  /// Stops the work between two reports.
  const StopFlag& stop() const { return stop_; }
  /// Throws the exception of Python that stopped the work, else that of the work.  Needs the GIL.
  void run(const std::function<void()>& work);

 private:
  void work_and_signal(const std::function<void()>& work);
  void watch();
  void report_to_python();

  nb::object callback_;
  StopFlag stop_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable finished_;
  bool done_ = false;
  std::optional<Progress> latest_;
  std::exception_ptr thrown_;  // by the work
  std::exception_ptr raised_;  // by Python; of the caller's thread alone
};

}  // namespace structhash::python
