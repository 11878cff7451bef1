#include "core/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace structhash {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

/// Optimal string alignment distance; three rows of the table are enough.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({row[j - 1] + 1, last[j] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last = std::exchange(last, std::move(row));
  }
  return last[b.size()];
}

}  // namespace

std::string_view closest_name(std::string_view given, std::span<const std::string_view> known) {
  std::string_view closest;
  std::size_t min_edits = std::max<std::size_t>(1, given.size() / 3) + 1;
  const std::string lower = lower_case(given);
  for (const std::string_view name : known) {
    const std::size_t count = edits(lower, lower_case(name));
    if (count < min_edits) {
      min_edits = count;
      closest = name;
    }
  }
  return closest;
}

std::string unknown_name(std::string_view what, std::string_view given,
                         std::span<const std::string_view> known) {
  std::vector<std::string_view> sorted(known.begin(), known.end());
  std::ranges::sort(sorted);
  const std::string_view closest = closest_name(given, sorted);
  const std::string hint = closest.empty() ? "." : fmt::format("; did you mean '{}'?", closest);
  return sorted.empty() ? fmt::format("unknown {} '{}'; there are none", what, given)
                        : fmt::format("unknown {} '{}'{} Known: {}", what, given, hint,
                                      fmt::join(sorted, ", "));
}

}  // namespace structhash
