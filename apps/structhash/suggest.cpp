#include "suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace structhash::cli {

int edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table distance(prefix of a, prefix of b): the current one and the two before it.
  std::vector<int> before_last(b.size() + 1);
  std::vector<int> last(b.size() + 1);
  std::vector<int> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    current[j] = static_cast<int>(j);
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(current);
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
  }
  return current[b.size()];
}

std::string closest(std::string_view name, std::span<const std::string> known) {
  std::string best;
  // A third of the letters may be wrong: "trian" finds "train", "search" does not find "demo".
  int best_distance = static_cast<int>(name.size()) / 3 + 1;
  for (const std::string& candidate : known) {
    const bool is_beginning = name.size() >= 3 && candidate.starts_with(name);
    const int distance = is_beginning ? 1 : edit_distance(name, candidate);
    if (distance < best_distance || (distance == best_distance && best.empty())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string unknown_name(std::string_view what, std::string_view name,
                         std::span<const std::string> known) {
  const std::string guess = closest(name, known);
  if (!guess.empty()) {
    return fmt::format("unknown {} '{}'; did you mean '{}'?", what, name, guess);
  }
  return fmt::format("unknown {} '{}'; known: {}", what, name, fmt::join(known, ", "));
}

}  // namespace structhash::cli
