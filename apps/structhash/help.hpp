#pragma once

#include <CLI/CLI.hpp>
#include <string>

/// How --help looks: the examples (the footer of a command) come first.
namespace structhash::cli {

class ExamplesFirst final : public CLI::Formatter {
 public:
  ExamplesFirst();
  std::string make_help(const CLI::App* command, std::string name,
                        CLI::AppFormatMode mode) const override;
};

/// What to say when the arguments could not be read; names the closest known word if one is close.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

/// "structhash features gist": the commands that were given.
std::string command_path(const CLI::App& app);

}  // namespace structhash::cli
