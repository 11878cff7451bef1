#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "interrupt.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kCyan = "\x1b[36m";
constexpr std::string_view kPlain = "\x1b[0m";
constexpr std::string_view kRewriteLine = "\r\x1b[K";

bool dumb_terminal() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term) == "dumb";
}

void write_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

int terminal_width() {
  winsize size{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): the only interface
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

bool can_rewrite_lines(int file_descriptor) {
  return isatty(file_descriptor) == 1 && !dumb_terminal();
}

void write_moving(std::string_view text, bool color) {
  write_stderr(color ? fmt::format("{}{}{}", kCyan, text, kPlain) : std::string(text));
}

void erase_lines(int count) {
  // Moves up `count` lines and clears everything below.
  write_stderr(fmt::format("\x1b[{}A\r\x1b[J", count));
}

bool use_color(ColorChoice choice, int file_descriptor) {
  if (choice != ColorChoice::automatic) {
    return choice == ColorChoice::always;
  }
  const char* no_color = std::getenv("NO_COLOR");
  const bool refused = no_color != nullptr && *no_color != '\0';
  return !refused && !dumb_terminal() && isatty(file_descriptor) == 1;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(std::max(0.0, seconds)));
  if (whole < 60) {
    return fmt::format("{} s", whole);
  }
  if (whole < 3600) {
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  }
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_line(const Progress& progress, double first_done, double seconds, int width) {
  std::string line = progress.stage;
  if (progress.total > 0.0) {
    const double share = std::clamp(progress.done / progress.total, 0.0, 1.0);
    constexpr int kBarWidth = 24;
    const int filled = static_cast<int>(share * kBarWidth);
    const std::string head = filled < kBarWidth ? ">" : "";
    line += fmt::format(
        "  [{}{}{}] {:3.0f} %", std::string(static_cast<std::size_t>(filled), '='), head,
        std::string(static_cast<std::size_t>(kBarWidth - filled) - head.size(), ' '),
        std::floor(100.0 * share));
    const double advanced = progress.done - first_done;
    if (advanced > 0.0 && share < 1.0) {
      const double left = seconds * (progress.total - progress.done) / advanced;
      line += fmt::format("  {} left", duration_text(left));
    }
  }
  if (!progress.detail.empty()) {
    line += "  " + progress.detail;
  }
  return line.substr(0, static_cast<std::size_t>(std::max(1, width)));
}

ProgressDisplay::ProgressDisplay(ColorChoice color)
    : moving_(can_rewrite_lines(STDERR_FILENO)), color_(use_color(color, STDERR_FILENO)) {}

ProgressDisplay::~ProgressDisplay() {
  clear();
}

ProgressCallback ProgressDisplay::callback() {
  return [this](const Progress& progress) {
    show(progress);
    return !interrupted();
  };
}

void ProgressDisplay::clear() {
  const std::lock_guard lock(mutex_);
  if (line_visible_) {
    write_stderr(kRewriteLine);
    line_visible_ = false;
  }
}

void ProgressDisplay::complete(const std::string& stage) {
  if (!moving_ && stage == stage_) {
    show({.stage = stage, .done = 1.0, .total = 1.0, .detail = ""});
  }
}

void ProgressDisplay::show(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  const bool new_stage = progress.stage != stage_;
  if (new_stage) {
    stage_ = progress.stage;
    stage_start_ = now;
    stage_first_done_ = progress.done;
    stage_complete_ = false;
  }
  const bool completes =
      progress.total > 0.0 && progress.done >= progress.total && !stage_complete_;
  stage_complete_ = stage_complete_ || completes;
  const auto pause = moving_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000);
  if (!new_stage && !completes && now - last_shown_ < pause) {
    return;
  }
  last_shown_ = now;
  const double seconds = std::chrono::duration<double>(now - stage_start_).count();
  const std::string line =
      progress_line(progress, stage_first_done_, seconds, moving_ ? terminal_width() - 1 : 200);
  if (moving_) {
    write_stderr(color_ ? fmt::format("{}{}{}{}", kRewriteLine, kCyan, line, kPlain)
                        : fmt::format("{}{}", kRewriteLine, line));
    line_visible_ = true;
  } else {
    write_stderr(line + "\n");
  }
}

std::string table_text(const std::vector<std::vector<std::string>>& rows_with_header, bool color) {
  std::vector<std::size_t> widths(rows_with_header.front().size(), 0);
  for (const auto& row : rows_with_header) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths[c] = std::max(widths[c], row[c].size());
    }
  }
  std::string text;
  for (std::size_t r = 0; r < rows_with_header.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows_with_header[r].size(); ++c) {
      line += c == 0 ? fmt::format("{:<{}}", rows_with_header[r][c], widths[c])
                     : fmt::format("  {:>{}}", rows_with_header[r][c], widths[c]);
    }
    text += r == 0 && color ? fmt::format("{}{}{}\n", kBold, line, kPlain) : line + "\n";
  }
  return text;
}

std::string list_text(const std::vector<NamedLine>& lines) {
  std::size_t width = 0;
  for (const NamedLine& line : lines) {
    width = std::max(width, line.name.size());
  }
  std::string text;
  for (const NamedLine& line : lines) {
    text += fmt::format("  {:<{}}  {}\n", line.name, width, line.text);
  }
  return text;
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print_data(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    fail(Errc::io, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

void flush_data() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    fail(Errc::io, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

void print_note(std::string_view text) {
  write_stderr(fmt::format("{}\n", text));
}

void print_json_error(std::string_view text, int exit_code) {
  const nlohmann::ordered_json json{{"error", text}, {"exit_code", exit_code}};
  print_note(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void print_error(std::string_view text, ColorChoice color) {
  if (use_color(color, STDERR_FILENO)) {
    write_stderr(fmt::format("structhash: {}error:{} {}\n", kRed, kPlain, text));
  } else {
    write_stderr(fmt::format("structhash: error: {}\n", text));
  }
}

}  // namespace structhash::cli
