#include "application.hpp"

#include <CLI/CLI.hpp>
#include <exception>
#include <new>
#include <system_error>

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

int exit_code(Errc code) {
  return static_cast<int>(code);
}

void add_commands(CLI::App& app, Session& session) {
  app.formatter(std::make_shared<ExamplesFirst>());
  app.footer(kCommonCommands);
  app.set_version_flag("--version", std::string("structhash ") + STRUCTHASH_VERSION,
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
}

int parse_and_run(int argc, char** argv, Session& session) {
  CLI::App app("Learns compact binary codes for ranking measures.", "structhash");
  add_commands(app, session);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      print_note(app.help());
      return exit_code(Errc::usage);
    }
    flush_data();
    return 0;
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    print_error(usage_message(app, error), session.color);
    print_note(app.get_subcommands().empty()
                   ? "Run structhash --help for the commands."
                   : "Run " + command_path(app) + " --help for examples and options.");
    return exit_code(Errc::usage);
  }
}

}  // namespace

int run(int argc, char** argv) {
  Session session;
  try {
    return parse_and_run(argc, argv, session);
  } catch (const Error& error) {
    print_error(error.what(), session.color);
    return exit_code(error.code());
  } catch (const std::bad_alloc&) {
    print_error("out of memory; use fewer rows", session.color);
    return exit_code(Errc::io);
  } catch (const std::system_error& error) {  // an inaccessible path, no more threads
    print_error(error.what(), session.color);
    return exit_code(Errc::io);
  } catch (const std::exception& error) {
    print_error(std::string("internal error, please report it: ") + error.what(), session.color);
    return exit_code(Errc::internal);
  }
}

}  // namespace structhash::cli
