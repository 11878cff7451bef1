#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/suggest.hpp"
#include "structhash/core/error.hpp"
#include "structhash/ranking/measures.hpp"

/// From a measure's name to the measure, with errors that say what to write instead.
namespace structhash {
namespace {

std::string spelling(const MeasureEntry& entry) {
  return std::string(entry.name) + (entry.takes_cutoff ? "@K" : "");
}

std::string known_names() {
  std::string names;
  for (const MeasureEntry& entry : kMeasures) {
    names += (names.empty() ? "" : ", ") + spelling(entry);
  }
  return names;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

/// The known measure nearest to a misspelt one, or nullptr when none is near.
const MeasureEntry* nearest(std::string_view base) {
  std::vector<std::string_view> names;
  names.reserve(kMeasures.size());
  for (const MeasureEntry& entry : kMeasures) {
    names.push_back(entry.name);
  }
  const std::string_view name = closest_name(lower_case(base), names);
  const auto* found = std::ranges::find(kMeasures, name, &MeasureEntry::name);
  return found == kMeasures.end() ? nullptr : found;
}

Index parse_cutoff(std::string_view name, std::string_view digits) {
  // Far above any list, and small enough that cut-off + list size cannot overflow.
  constexpr Index kMax = 1'000'000'000;
  Index cutoff = 0;
  const char* end = std::to_address(digits.end());
  const auto [stop, status] = std::from_chars(std::to_address(digits.begin()), end, cutoff);
  require(status == std::errc{} && stop == end && cutoff >= 1 && cutoff <= kMax,
          fmt::format("measure '{}': the cut-off after @ is '{}', it must be a whole number from 1 "
                      "to {}",
                      name, digits, kMax));
  return cutoff;
}

}  // namespace

std::unique_ptr<RankingMeasure> make_measure(std::string_view name, double listed) {
  require(listed > 0.0 && listed <= 1.0, "the share of items in a list must lie between 0 and 1");
  const std::size_t at = name.find('@');
  const std::string_view base = name.substr(0, at);
  const auto* entry = std::ranges::find(kMeasures, base, &MeasureEntry::name);
  if (entry == kMeasures.end()) {
    const MeasureEntry* near = nearest(base);
    fail(Errc::usage,
         fmt::format("unknown measure '{}'{}; known measures: {}", name,
                     near == nullptr ? "" : fmt::format(", did you mean {}?", spelling(*near)),
                     known_names()));
  }
  if (!entry->takes_cutoff) {
    require(at == std::string_view::npos,
            fmt::format("measure '{}': {} takes no cut-off, write {}", name, base, base));
    return entry->make(0);
  }
  require(at != std::string_view::npos,
          fmt::format("measure '{}' needs a cut-off, for example {}@100", name, base));
  const double cutoff = listed * to_double(parse_cutoff(name, name.substr(at + 1)));
  return entry->make(std::max<Index>(1, std::llround(cutoff)));
}

}  // namespace structhash
