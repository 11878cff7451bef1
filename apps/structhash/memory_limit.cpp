#include "memory_limit.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

constexpr std::array<std::string_view, 5> kUnits{"", "K", "M", "G", "T"};

/// A figure of /proc/self/status in bytes; 0 where there is none.
double status_figure(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) {
      double kilobytes = 0.0;
      const auto digit = line.find_first_of("0123456789");
      std::from_chars(line.data() + std::min(digit, line.size()), line.data() + line.size(),
                      kilobytes);
      return kilobytes * 1024.0;
    }
  }
  return 0.0;
}

/// The second line of defence.  The system counts address space that was asked for, a limit means
/// memory in use: stacks and the work space of the matrix library are asked for and hardly used.
void limit_process(double limit, int threads) {
  constexpr double kUnusedPerThread = 80.0 * 1024 * 1024;
  const double asked = status_figure("VmData:");
  const double used = status_figure("VmRSS:");
  if (asked <= 0.0 || used <= 0.0) {
    return;  // not Linux: the prediction has to do
  }
  const double room = std::max(0.0, limit - used) + kUnusedPerThread * threads;
  rlimit data{};
  if (getrlimit(RLIMIT_DATA, &data) == 0) {
    const auto most = static_cast<rlim_t>(asked + room);
    data.rlim_cur = std::min(data.rlim_cur, most);
    setrlimit(RLIMIT_DATA, &data);
  }
}

}  // namespace

double parse_size(const std::string& word) {
  double number = 0.0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(word.data() + word.size() - end));
  const bool is_number = problem == std::errc() && std::isfinite(number) && number > 0.0;
  double factor = 1.0;
  for (const std::string_view known : kUnits) {
    const std::string name(known);
    if (is_number && (unit == name || unit == name + "B" || unit == name + "iB")) {
      return number * factor;
    }
    factor *= 1024.0;
  }
  fail(Errc::usage,
       fmt::format("--memory-limit: '{}' is not a size; write it as 2GiB, 500MiB or in bytes",
                   word));
}

std::string size_text(double bytes) {
  std::size_t unit = 0;
  while (bytes >= 1024.0 && unit + 1 < kUnits.size()) {
    bytes /= 1024.0;
    ++unit;
  }
  return fmt::format("{:.{}f} {}{}", bytes, unit == 0 ? 0 : 1, kUnits.at(unit),
                     unit == 0 ? "bytes" : "iB");
}

void keep_memory_limit(double limit, double predicted, int threads, const std::string& advice) {
  if (limit <= 0.0) {
    return;
  }
  if (predicted > limit) {
    fail(Errc::io,
         fmt::format("this would need about {} of memory, and --memory-limit allows {}; {}",
                     size_text(predicted), size_text(limit), advice));
  }
  limit_process(limit, threads);
}

}  // namespace structhash::cli
