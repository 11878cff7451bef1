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
  require(!matches("*.parquet *.arrow *.feather *.ipc", path),
          fmt::format("{}: Parquet and Arrow files are read by the Python package: python -m "
                      "structhash encode (docs/scale.md), or save the columns with numpy.save",
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

std::unique_ptr<TableReader> open_table(const std::string& path, const TableOptions& options) {
  const FormatEntry& format = find_format(path, options.format);
  if (format.open_columns != nullptr) {
    return format.open_columns(path, options);
  }
  require(
      options.label_column.empty() && options.id_column.empty() && options.dropped_columns.empty(),
      fmt::format("{}: columns for labels and ids, and dropped columns, are for csv and tsv "
                  "files; this file is read as {}",
                  path, format.info.name));
  return format.open(path);
}

std::string describe_table(const std::string& path, const TableOptions& options) {
  const FormatEntry& format = find_format(path, options.format);
  return format.open_columns == nullptr ? "" : format.open_columns(path, options)->description();
}

}  // namespace data

std::span<const FormatInfo> formats() {
  return data::kFormatInfos;
}

}  // namespace structhash
