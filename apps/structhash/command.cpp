#include "command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "file_roles.hpp"
#include "help.hpp"
#include "standard_input.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

constexpr const char* kPipe = "-";  // in place of a file: standard input or output

CLI::Validator at_least(Index min) {
  return {[min](std::string& text) {
            Index value = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            const bool good = error == std::errc{} && stop == end && value >= min;
            return good ? std::string{}
                        : fmt::format("'{}' is not a whole number of {} or more", text, min);
          },
          ""};
}

}  // namespace

Command::Command(CLI::App& app, const std::string& name, const std::string& summary,
                 const std::string& examples)
    : command_(app.add_subcommand(name, summary)), files_(std::make_shared<FileOptions>()) {
  command_->footer(examples);
  command_->group("Commands");
}

CommandGroup::CommandGroup(CLI::App& app, const std::string& name, const std::string& summary,
                           const std::string& examples)
    : group_(app.add_subcommand(name, summary)) {
  group_->footer(examples);
  group_->group("Commands");
  group_->require_subcommand(1);
}

template <typename Value>
void Command::add(const OptionText& option, Value& value, Need need) {
  command_->add_option(option.name, value, option.help)
      ->required(need == Need::required)
      ->option_text(option.placeholder);
}

void Command::text(const OptionText& option, std::string& value, Need need) {
  if (option.placeholder.starts_with("FILE")) {
    fail(Errc::internal, option.name + " is a file: declare it by Command::input or output");
  }
  add(option, value, need);
}

void Command::positional(const OptionText& option, std::string& value) {
  text(option, value, Need::required);
}

void Command::input(const OptionText& option, std::string& value, Need need) {
  add(option, value, need);
  files_->inputs.push_back({option.name, [&value] { return std::vector{value}; }});
}

void Command::output(const OptionText& option, std::string& value, Need need) {
  add(option, value, need);
  files_->outputs.push_back({option.name, [&value] { return std::vector{value}; }});
}

void Command::inputs(const OptionText& option, std::vector<std::string>& values, Need need) {
  add(option, values, need);
  files_->inputs.push_back({option.name, [&values] { return values; }});
  files_->readable_from_pipe.push_back(&values);
}

void Command::comma_list(const OptionText& option, std::vector<std::string>& values) {
  command_->add_option(option.name, values, option.help)
      ->delimiter(',')
      ->option_text(option.placeholder);
}

void Command::repeated(const OptionText& option, std::vector<std::string>& values) {
  command_->add_option(option.name, values, option.help)
      ->expected(1)
      ->take_all()
      ->option_text(option.placeholder);
}

void Command::number(const OptionText& option, Index& value, Index min) {
  command_->add_option(option.name, value, option.help)
      ->check(at_least(min))
      ->option_text(option.placeholder);
}

void Command::flag(const std::string& name, bool& value, const std::string& help) {
  command_->add_flag(name, value, help);
}

void Command::word(const OptionText& option, const std::function<void(const std::string&)>& take) {
  command_->add_option_function<std::string>(option.name, take, option.help)
      ->option_text(option.placeholder);
}

void Command::ending(const std::string& text) {
  command_->formatter(std::make_shared<ExamplesFirst>(text));
}

void Command::action(std::function<void()> run) {
  command_->callback([files = files_, run = std::move(run)] {
    check_files(*files);
    for (std::vector<std::string>* paths : files->readable_from_pipe) {
      replace_standard_input(*paths);
    }
    run_with_readable_errors(run);
  });
}

void Command::check_files(const FileOptions& files) {
  const auto named = [](const std::vector<FileOption>& options) {
    std::vector<NamedFile> all;
    for (const FileOption& option : options) {
      for (const std::string& path : option.paths()) {
        all.push_back({option.name, path == kPipe ? "" : path});
      }
    }
    return all;
  };
  Index pipes = 0;
  for (const FileOption& option : files.inputs) {
    pipes += std::ranges::count(option.paths(), kPipe);
  }
  require(pipes <= 1, "only one input can be -, standard input");
  require_separate_files(named(files.inputs), named(files.outputs));
}

void Command::pass_on(std::function<void(std::vector<std::string>)> run) {
  command_->prefix_command();
  command_->callback([command = command_, run = std::move(run)] { run(command->remaining()); });
}

}  // namespace structhash::cli
