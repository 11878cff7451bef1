#pragma once

#include <CLI/CLI.hpp>
#include <string>

/// How --help looks: the examples (the footer of a command) come first.
namespace structhash::cli {

class ExamplesFirst final : public CLI::Formatter {
 public:
  /// ending: printed after the options.
  explicit ExamplesFirst(std::string ending = {});
  std::string make_help(const CLI::App* command, std::string name,
                        CLI::AppFormatMode mode) const override;

 private:
  std::string ending_;
};

/// The error message for arguments that cannot be parsed; suggests the closest known word.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

/// "structhash features gist": the commands that were given.
std::string command_path(const CLI::App& app);

}  // namespace structhash::cli
