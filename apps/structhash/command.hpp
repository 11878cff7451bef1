#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "structhash/core/types.hpp"

namespace CLI {
class App;
}

/// The interface of the commands to the argument parser.  Only command.cpp, help.cpp and main.cpp
/// include CLI11 itself, which takes seconds to compile.
namespace structhash::cli {

enum class Need { optional, required };

/// How an option is written and explained: "--bits N   Bits per code (default 64)".
struct OptionText {
  OptionText(std::string name_, std::string placeholder_, std::string help_)
      : name(std::move(name_)), placeholder(std::move(placeholder_)), help(std::move(help_)) {}

  std::string name;         // "--bits"
  std::string placeholder;  // "N"
  std::string help;
};

/// One command of the application.  The values that options fill must outlive the application: each
/// command keeps them in a shared pointer that its action holds.
class Command {
 public:
  Command(CLI::App& app, const std::string& name, const std::string& summary,
          const std::string& examples);

  /// Not for files: those are declared by input, inputs and output.
  void text(const OptionText& option, std::string& value, Need need = Need::optional);
  /// A file that the command reads.  The action runs only if no input or other output is an output
  /// (file_roles.hpp).
  void input(const OptionText& option, std::string& value, Need need = Need::optional);
  /// Several files after one option: --features a.npy b.npy.  "-" is standard input.
  void inputs(const OptionText& option, std::vector<std::string>& values,
              Need need = Need::optional);
  /// A file that the command writes.
  void output(const OptionText& option, std::string& value, Need need = Need::optional);
  /// A word without a name, such as the DIR of `data check DIR`.
  void positional(const OptionText& option, std::string& value);
  /// One option with commas: --measures map,auc.
  void comma_list(const OptionText& option, std::vector<std::string>& values);
  /// One word each time the option is given: --option a=1 --option b=2.
  void repeated(const OptionText& option, std::vector<std::string>& values);
  /// A whole number of at least `min`.
  void number(const OptionText& option, Index& value, Index min);
  void flag(const std::string& name, bool& value, const std::string& help);
  /// A word that `take` parses; it throws for an invalid word.
  void word(const OptionText& option, const std::function<void(const std::string&)>& take);
  /// Text that --help prints after the options.
  void ending(const std::string& text);
  /// Runs once all options are read.
  void action(std::function<void()> run);
  /// Passes all words after the command, options included, to `run`.
  void pass_on(std::function<void(std::vector<std::string>)> run);

 private:
  struct FileOption {
    std::string name;
    std::function<std::vector<std::string>()> paths;
  };
  struct FileOptions {
    std::vector<FileOption> inputs;
    std::vector<FileOption> outputs;
    std::vector<std::vector<std::string>*> readable_from_pipe;  // "-" is standard input
  };
  template <typename Value>
  void add(const OptionText& option, Value& value, Need need);
  static void check_files(const FileOptions& files);

  CLI::App* command_;
  std::shared_ptr<FileOptions> files_;  // shared with the action
};

/// A command with subcommands, such as `features gist`; one of them is required.
class CommandGroup {
 public:
  CommandGroup(CLI::App& app, const std::string& name, const std::string& summary,
               const std::string& examples);
  /// Subcommands are added to this.
  CLI::App& commands() const { return *group_; }

 private:
  CLI::App* group_;
};

}  // namespace structhash::cli
