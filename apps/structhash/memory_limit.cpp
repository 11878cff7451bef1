#include "memory_limit.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

constexpr std::array<std::string_view, 5> kUnits{"", "K", "M", "G", "T"};

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

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void check_memory_limit(double limit, double predicted, const std::string& advice) {
  if (limit > 0.0 && predicted > limit) {
    fail(Errc::io, fmt::format("this needs about {} of memory, but --memory-limit allows {}; {}",
                               size_text(predicted), size_text(limit), advice));
  }
}

}  // namespace structhash::cli
