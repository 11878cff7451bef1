#include "live_table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "interrupt.hpp"

namespace structhash::cli {
namespace {

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

LiveTable::LiveTable(Index tasks, Index jobs, ColorChoice color)
    : moving_(can_rewrite_lines(STDERR_FILENO)),
      color_(use_color(color, STDERR_FILENO)),
      tasks_(tasks),
      jobs_(static_cast<std::size_t>(jobs)) {}

LiveTable::~LiveTable() {
  clear();
}

ProgressCallback LiveTable::start(Index job, std::string what) {
  const std::lock_guard lock(mutex_);
  jobs_[static_cast<std::size_t>(job)] = {.what = std::move(what), .stage_start = Clock::now()};
  draw();
  return [this, job](const Progress& progress) {
    show(job, progress);
    return !interrupted();
  };
}

void LiveTable::finish(Index job, const std::vector<std::string>& lines) {
  const std::lock_guard lock(mutex_);
  ++finished_;
  jobs_[static_cast<std::size_t>(job)].what.clear();
  erase();
  for (const std::string& line : lines) {
    print_note(line);
  }
  draw();
}

void LiveTable::clear() {
  const std::lock_guard lock(mutex_);
  erase();
}

void LiveTable::show(Index job, const Progress& progress) {
  const std::lock_guard lock(mutex_);
  Job& entry = jobs_[static_cast<std::size_t>(job)];
  const auto now = Clock::now();
  if (progress.stage != entry.progress.stage) {
    entry.stage_start = now;
    entry.stage_first_done = progress.done;
  }
  entry.progress = progress;
  if (now - last_drawn_ >= std::chrono::milliseconds(100)) {
    draw();
  }
}

std::string LiveTable::overall_line(int width) const {
  const double seconds = seconds_between(start_, Clock::now());
  return progress_line({fmt::format("{} of {} cells", finished_, tasks_), to_double(finished_),
                        to_double(tasks_), fmt::format("{} so far", duration_text(seconds))},
                       0.0, seconds, width);
}

void LiveTable::draw() {
  if (!moving_) {
    return;
  }
  erase();
  last_drawn_ = Clock::now();
  const int width = terminal_width() - 1;
  std::string text;
  for (const Job& job : jobs_) {
    if (!job.what.empty()) {
      Progress shown = job.progress;
      shown.stage = job.what + "  " + shown.stage;
      text += progress_line(shown, job.stage_first_done,
                            seconds_between(job.stage_start, last_drawn_), width) +
              "\n";
      ++lines_visible_;
    }
  }
  text += overall_line(width) + "\n";
  ++lines_visible_;
  write_moving(text, color_);
}

void LiveTable::erase() {
  if (lines_visible_ > 0) {
    erase_lines(lines_visible_);
    lines_visible_ = 0;
  }
}

}  // namespace structhash::cli
