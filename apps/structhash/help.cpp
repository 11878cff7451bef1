#include "help.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "core/suggest.hpp"

namespace structhash::cli {
namespace {

/// "unknown option '--featurs'; did you mean '--features'?": the list of all would be long.
std::string suggestion(std::string_view what, std::string_view given,
                       const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string_view closest = closest_name(given, views);
  return closest.empty() ? fmt::format("unknown {} '{}'", what, given)
                         : fmt::format("unknown {} '{}'; did you mean '{}'?", what, given, closest);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

/// The command that was given: in `features gist` it is gist.
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

}  // namespace

std::string command_path(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app.get_name() : app.get_name() + " " + command_path(*chosen.front());
}

ExamplesFirst::ExamplesFirst(std::string ending) : ending_(std::move(ending)) {
  column_width(34);
  label("SUBCOMMAND", "COMMAND");
}

std::string ExamplesFirst::make_help(const CLI::App* command, std::string name,
                                     CLI::AppFormatMode mode) const {
  if (mode == CLI::AppFormatMode::Sub) {
    return CLI::Formatter::make_help(command, name, mode);
  }
  return fmt::format("Examples:\n{}\n{}{}{}{}{}{}", command->get_footer(),
                     make_description(command), make_usage(command, name),
                     make_positionals(command), make_groups(command, mode),
                     make_subcommands(command, mode), ending_);
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  const std::vector<std::string> commands = command_names(command);
  const std::vector<std::string> left_over = app.remaining(/*recurse=*/true);
  if (!left_over.empty()) {
    const std::string& word = left_over.front();
    if (!commands.empty() && !word.starts_with("-")) {
      return suggestion("command", word, commands);
    }
    if (word.starts_with("-")) {
      const std::string name = word.substr(0, word.find('='));
      return suggestion("option", name, option_names(command));
    }
    return fmt::format("'{}' was not expected here", word);
  }
  if (!commands.empty() && &command != &app) {
    return fmt::format("{} needs a subcommand: {}", command_path(app), fmt::join(commands, ", "));
  }
  std::string message = error.what();
  // CLI11 counts what it required; people want to know what to do.
  const std::string option = message.substr(0, message.find(':'));
  if (message.find(": At Most 1 required") != std::string::npos) {
    return option + " is given more than once";
  }
  if (message.ends_with("required TEXT missing") || message.ends_with("required INT missing") ||
      message.ends_with("required UINT missing")) {
    return option + " needs a value";
  }
  return message;
}

}  // namespace structhash::cli
