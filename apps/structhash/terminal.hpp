#pragma once

#include <chrono>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/core/progress.hpp"

/// Output for people.  Data goes to stdout; progress, notes and errors go to stderr.
namespace structhash::cli {

enum class ColorChoice { automatic, always, never };

/// Whether to print colours: --color overrides NO_COLOR and TERM=dumb, which override the terminal.
bool use_color(ColorChoice choice, int file_descriptor);

/// Whether the output is a terminal whose lines can be rewritten.
bool can_rewrite_lines(int file_descriptor);
int terminal_width();  // of stderr; 80 if unknown
/// Temporary text on stderr; erase_lines removes its last lines.
void write_moving(std::string_view text, bool color);
void erase_lines(int count);

/// "training  [=====>    ]  45 %  12 s left", at most `width` columns.  The time left is
/// estimated from the progress since `first_done`, `seconds` ago.
std::string progress_line(const Progress& progress, double first_done, double seconds, int width);

/// "12 s", "3 min 05 s", "2 h 10 min".
std::string duration_text(double seconds);

/// Draws the progress of the library on stderr: one moving line on a terminal, otherwise a plain
/// line when a stage begins, every few seconds, and at 100 %.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(ColorChoice color);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  /// For the library; returns false after Ctrl-C, which stops the work.
  ProgressCallback callback();
  /// Removes the moving line, so that something else can be printed.
  void clear();
  /// A stage has ended: a log shows it at 100 %.
  void complete(const std::string& stage);

 private:
  using Clock = std::chrono::steady_clock;
  void show(const Progress& progress);

  bool moving_;  // a terminal that can rewrite its line
  bool color_;
  bool line_visible_ = false;
  std::mutex mutex_;  // the library may report from any of its threads
  std::string stage_;
  Clock::time_point stage_start_;
  double stage_first_done_ = 0.0;
  bool stage_complete_ = false;  // 100 % has been shown
  Clock::time_point last_shown_;
};

/// Rows of text under a header: first column to the left, the others to the right.
std::string table_text(const std::vector<std::vector<std::string>>& rows_with_header, bool color);

struct NamedLine {
  std::string name;
  std::string text;
};

/// A column of names, each with its text beside it.
std::string list_text(const std::vector<NamedLine>& lines);

/// Readable JSON with a line end; bytes that are not UTF-8, in file names for example, become
/// U+FFFD.
std::string json_text(const nlohmann::ordered_json& json);

/// Writes data to stdout; throws Errc::io on failure, such as a full disk.
void print_data(std::string_view text);
void flush_data();

/// One line on stderr.
void print_note(std::string_view text);
void print_error(std::string_view text, ColorChoice color);
/// One line on stderr, for --json: {"error": text, "exit_code": code}.
void print_json_error(std::string_view text, int exit_code);

}  // namespace structhash::cli
