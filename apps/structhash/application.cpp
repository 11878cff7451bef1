#include "application.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "help.hpp"
#include "session.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

constexpr const char* kCommonCommands =
    "  structhash demo\n"
    "  structhash train --features x.npy --labels y.npy --bits 64 --model model.shm\n"
    "  structhash evaluate --model model.shm --features x.npy --labels y.npy --queries 1000\n"
    "  structhash encode --model model.shm --features x.npy --codes codes.shc\n"
    "  structhash search --model model.shm --codes codes.shc --queries q.npy --k 10\n";

/// Prints the error, as JSON with --json; returns the exit status.
int report(Errc code, const std::string& message, const Session& session) {
  const int status = static_cast<int>(code);
  if (session.json) {
    print_json_error(message, status);
  } else {
    print_error(message, session.color);
  }
  return status;
}

/// The words of the command line, the first one last, as CLI11 takes them.  `help NAME` stands for
/// `NAME --help`.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  std::ranges::reverse(words);
  return words;
}

void add_commands(CLI::App& app, Session& session) {
  app.formatter(std::make_shared<ExamplesFirst>());
  app.footer(kCommonCommands);
  app.set_version_flag("-V,--version", std::string("structhash ") + STRUCTHASH_VERSION,
                       "Print the version");
  app.require_subcommand(0, 1);  // without one, the help is printed below
  const OptionText color = color_option();
  app.add_option_function<std::string>(
         color.name, [&session](const std::string& word) { session.color = parse_color(word); },
         color.help)
      ->option_text(color.placeholder);
  add_data(app, session);
  add_features(app, session);
  add_train(app, session);
  add_encode(app, session);
  add_index(app, session);
  add_search(app, session);
  add_evaluate(app, session);
  add_convert(app, session);
  add_export(app, session);
  add_inspect(app, session);
  add_methods(app, session);
  add_measures(app, session);
  add_experiment(app, session);
  add_report(app, session);
  add_demo(app, session);
  app.add_subcommand("help", "Show the help of a command: structhash help train")
      ->group("Commands");  // words_of replaces it
}

int parse_and_run(std::vector<std::string> words, Session& session) {
  CLI::App app("Learns compact binary codes for ranking measures.", "structhash");
  add_commands(app, session);
  try {
    app.parse(std::move(words));
    if (app.get_subcommands().empty()) {
      print_note(app.help());
      return static_cast<int>(Errc::usage);
    }
    flush_data();
    return 0;
  } catch (const CLI::Success& help_or_version) {
    if (app.get_subcommands().empty() && !app.remaining().empty()) {  // help for an unknown command
      return report(Errc::usage, usage_message(app, help_or_version), session);
    }
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    const int status = report(Errc::usage, usage_message(app, error), session);
    if (!session.json) {
      print_note(app.get_subcommands().empty()
                     ? "Run structhash --help for the commands."
                     : "Run " + command_path(app) + " --help for examples and options.");
    }
    return status;
  }
}

}  // namespace

int run(int argc, char** argv) {
  Session session;
  try {
    std::vector<std::string> words = words_of(argc, argv);
    session.json = std::ranges::find(words, "--json") != words.end();  // also if parsing fails
    return parse_and_run(std::move(words), session);
  } catch (const Error& error) {
    return report(error.code(), error.what(), session);
  } catch (const std::bad_alloc&) {
    return report(Errc::io, "out of memory; use fewer rows", session);
  } catch (const std::system_error& error) {  // an inaccessible path, no more threads
    return report(Errc::io, error.what(), session);
  } catch (const std::exception& error) {
    return report(Errc::internal, std::string("internal error, please report it: ") + error.what(),
                  session);
  }
}

}  // namespace structhash::cli
