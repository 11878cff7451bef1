#include "interrupts.hpp"

#include <utility>

#include "structhash/core/error.hpp"

namespace structhash::python {

void raise_pending_signals() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) {
    throw nb::python_error();
  }
}

ProgressCallback ProgressRelay::callback() {
  return [this](const Progress& progress) { return tell(progress); };
}

bool ProgressRelay::tell(const Progress& progress) {
  constexpr auto kPause = std::chrono::milliseconds(50);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kPause) {
    return true;
  }
  last_ = now;
  try {
    raise_pending_signals();
    const nb::gil_scoped_acquire lock;
    if (!callback_.is_none()) {
      callback_(progress.stage.c_str(), progress.done, progress.total, progress.detail.c_str());
    }
    return true;
  } catch (nb::python_error&) {
    raised_ = std::current_exception();
    return false;
  }
}

void ProgressRelay::run(const std::function<void()>& work) {
  try {
    const nb::gil_scoped_release unlocked;
    work();
  } catch (const Error& error) {
    if (error.code() == Errc::interrupted && raised_) {
      std::rethrow_exception(std::exchange(raised_, nullptr));
    }
    throw;
  }
}

}  // namespace structhash::python
