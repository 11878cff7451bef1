#include "data/formats.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <ranges>

#include "structhash/core/error.hpp"

namespace structhash {
namespace data {
namespace {

std::string known_names() {
  std::string names;
  for (const FormatEntry& entry : kFormats) {
    names += names.empty() ? "" : " ";
    names += entry.info.name;
  }
  return names;
}

/// Ignores case: X.NPY and train_X.bin are common.
bool matches(std::string_view patterns, const std::string& path) {
  return std::ranges::any_of(std::views::split(patterns, ' '), [&](const auto& part) {
    const std::string pattern(part.begin(), part.end());
    return fnmatch(pattern.c_str(), path.c_str(), FNM_CASEFOLD) == 0;
  });
}

const FormatEntry& find_format(const std::string& path, std::string_view format) {
  if (!format.empty()) {
    const auto* found = std::ranges::find_if(
        kFormats, [&](const FormatEntry& entry) { return entry.info.name == format; });
    require(found != kFormats.end(),
            fmt::format("unknown file format '{}'; known: {}", format, known_names()));
    return *found;
  }
  require(!path.ends_with(".parquet"),
          fmt::format("{}: Parquet files are encoded from Python, with python -m structhash encode "
                      "(docs/scale.md)",
                      path));
  const std::string plain = path.ends_with(".gz") ? path.substr(0, path.size() - 3) : path;
  const auto* found = std::ranges::find_if(
      kFormats, [&](const FormatEntry& entry) { return matches(entry.info.patterns, plain); });
  require(
      found != kFormats.end(),
      fmt::format("cannot determine the format of {} from its name; use --format with one of: {}",
                  path, known_names()));
  return *found;
}

constexpr auto format_infos() {
  std::array<FormatInfo, kFormats.size()> infos;
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    infos[i] = kFormats[i].info;
  }
  return infos;
}

constexpr auto kFormatInfos = format_infos();

}  // namespace

std::unique_ptr<TableReader> open_table(const std::string& path, std::string_view format) {
  return find_format(path, format).open(path);
}

}  // namespace data

std::span<const FormatInfo> formats() {
  return data::kFormatInfos;
}

}  // namespace structhash
