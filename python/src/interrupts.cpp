#include "interrupts.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace structhash::python {

void raise_pending_signals() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) {
    throw nb::python_error();
  }
}

ProgressCallback ProgressRelay::callback() {
  return [this](const Progress& progress) {
    const std::scoped_lock lock(mutex_);
    latest_ = progress;
    return !stop_.raised();
  };
}

void ProgressRelay::work_and_signal(const std::function<void()>& work) {
  std::exception_ptr thrown;
  try {
    work();
  } catch (...) {
    thrown = std::current_exception();
  }
  const std::scoped_lock lock(mutex_);
  thrown_ = std::move(thrown);
  done_ = true;
  finished_.notify_one();
}

void ProgressRelay::report_to_python() {
  std::optional<Progress> progress;
  {
    const std::scoped_lock lock(mutex_);
    progress = std::exchange(latest_, std::nullopt);
  }
  const nb::gil_scoped_acquire lock;
  if (progress && !callback_.is_none()) {
    callback_(progress->stage.c_str(), progress->done, progress->total, progress->detail.c_str());
  }
}

void ProgressRelay::watch() {
  constexpr auto kPause = std::chrono::milliseconds(50);
  std::unique_lock lock(mutex_);
  while (!finished_.wait_for(lock, kPause, [this] { return done_; })) {
    lock.unlock();
    try {
      raise_pending_signals();
      if (!stop_.raised()) {
        report_to_python();
      }
    } catch (nb::python_error&) {
      raised_ = std::current_exception();
      stop_.raise();
    }
    lock.lock();
  }
}

void ProgressRelay::run(const std::function<void()>& work) {
  {
    const nb::gil_scoped_release unlocked;
    const std::jthread worker([&] { work_and_signal(work); });
    watch();
  }
  if (raised_) {
    std::rethrow_exception(std::exchange(raised_, nullptr));
  }
  if (thrown_) {
    std::rethrow_exception(std::exchange(thrown_, nullptr));
  }
}

}  // namespace structhash::python
