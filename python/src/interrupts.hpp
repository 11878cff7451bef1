#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <functional>

#include "structhash/core/progress.hpp"

/// Ctrl-C and progress while the library works without Python's lock.
namespace structhash::python {

namespace nb = nanobind;

/// Takes the lock and throws what Python's signal handlers raise, KeyboardInterrupt for Ctrl-C.
/// For the pauses between blocks of long work.
void raise_pending_signals();

/// Tells Python about progress at most every 50 ms, and stops the work when Python raises: in a
/// signal handler or in the callback itself.
class ProgressRelay {
 public:
  /// `callback(stage, done, total, detail)`, or None.
  explicit ProgressRelay(nb::object callback) : callback_(std::move(callback)) {}

  ProgressCallback callback();
  /// Runs work that reports to `callback`; if Python stopped it, throws what Python raised.
  void run(const std::function<void()>& work);

 private:
  bool tell(const Progress& progress);

  nb::object callback_;
  std::chrono::steady_clock::time_point last_{};
  std::exception_ptr raised_;
};

}  // namespace structhash::python
