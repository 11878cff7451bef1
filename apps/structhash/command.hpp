#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "structhash/core/types.hpp"

namespace CLI {
class App;
}

/// What the commands know of the argument parser: options as they are read and explained.  CLI11
/// itself is included by command.cpp, help.cpp and main.cpp only; it takes seconds to compile.
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

/// One command of the application.  The values that options fill must live as long as the
/// application: commands keep them in a shared pointer that their action holds.
class Command {
 public:
  Command(CLI::App& app, const std::string& name, const std::string& summary,
          const std::string& examples);

  void text(const OptionText& option, std::string& value, Need need = Need::optional);
  /// A word without a name, such as the FILE of `inspect FILE`.
  void positional(const OptionText& option, std::string& value);
  /// Several words behind one option: --features a.npy b.npy.
  void texts(const OptionText& option, std::vector<std::string>& values,
             Need need = Need::optional);
  /// One option with commas: --measures map,auc.
  void comma_list(const OptionText& option, std::vector<std::string>& values);
  /// One word each time the option is given: --option a=1 --option b=2.
  void repeated(const OptionText& option, std::vector<std::string>& values);
  /// A whole number; another one or a smaller one is refused in plain words.
  void number(const OptionText& option, Index& value, Index smallest);
  void flag(const std::string& name, bool& value, const std::string& help);
  /// A word that `take` understands or refuses by throwing.
  void word(const OptionText& option, const std::function<void(const std::string&)>& take);
  /// What to do once all options are read.
  void action(std::function<void()> run);
  /// What to do with the words behind the command, options of another program among them.
  void pass_on(std::function<void(std::vector<std::string>)> run);

 private:
  CLI::App* command_;
};

/// A command that consists of commands, such as `features gist`; one of them must be given.
class CommandGroup {
 public:
  CommandGroup(CLI::App& app, const std::string& name, const std::string& summary,
               const std::string& examples);
  /// What its commands are added to.
  CLI::App& commands() const { return *group_; }

 private:
  CLI::App* group_;
};

}  // namespace structhash::cli
