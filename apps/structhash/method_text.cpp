#include "method_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace structhash::cli {
namespace {

using TextRows = std::vector<std::vector<std::string>>;

/// Columns to the left, two blanks between them and before the first.
std::string left_aligned(const TextRows& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t column = 0; column + 1 < row.size(); ++column) {  // the last needs no padding
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      text += fmt::format("  {:<{}}", row[column], widths[column]);
    }
    text += '\n';
  }
  return text;
}

std::string supervision_text(const MethodEntry& method) {
  switch (method.supervision) {
    case Supervision::none:
      return "features alone";
    case Supervision::labels:
      return method.multi_labels ? "classes or multi-labels" : "classes, one per row";
    case Supervision::lists:
      return "relevance lists, from labels or judgments";
  }
  return {};
}

/// "kernel; paper: linear"
std::string defaults_of(const OptionInfo& option) {
  std::string text = option.default_value;
  for (const auto& [preset, value] : option.presets) {
    text += fmt::format("; {}: {}", preset, value);
  }
  return text;
}

}  // namespace

std::string supervision_name(Supervision supervision) {
  switch (supervision) {
    case Supervision::none:
      return "none";
    case Supervision::labels:
      return "labels";
    case Supervision::lists:
      return "lists";
  }
  return {};
}

std::vector<std::string> distances_of(const MethodEntry& method) {
  std::vector<std::string> names{"hamming"};
  if (method.distance == Distance::weighted) {
    names.insert(names.begin(), "weighted");
  }
  if (method.adaptive) {
    names.emplace_back("adaptive");
  }
  if (!method.own_distance.empty()) {
    names.emplace_back(method.own_distance);
  }
  return names;
}

std::string option_table(const MethodEntry& method) {
  TextRows rows{{"option", "default", "allowed", "functions", "meaning"}};
  for (const OptionInfo& option : method.options()) {
    rows.push_back(
        {std::string(option.name), defaults_of(option), option.allowed,
         option.functions.empty() ? "all" : fmt::format("{}", fmt::join(option.functions, ", ")),
         std::string(option.help)});
  }
  return left_aligned(rows);
}

std::string choices_of(const MethodEntry& method, std::string_view option) {
  const auto options = method.options();
  const auto found = std::ranges::find(options, option, &OptionInfo::name);
  return found == options.end() ? "" : found->allowed;
}

std::string method_page(const MethodEntry& method) {
  return fmt::format(
      "{}: {}\n\n  reference    {}\n  learns from  {}\n  distances    {}\n\n"
      "Set an option by --option NAME=VALUE; bits, measure and functions by --bits, --measure and "
      "--functions.\n\n{}",
      method.name, method.summary, method.reference, supervision_text(method),
      fmt::join(distances_of(method), ", "), option_table(method));
}

}  // namespace structhash::cli
