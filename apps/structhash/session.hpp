#pragma once

#include <string>

#include "command.hpp"
#include "structhash/core/rng.hpp"
#include "terminal.hpp"

/// The options that all commands share.
namespace structhash::cli {

struct Session {
  ColorChoice color = ColorChoice::automatic;
  bool json = false;
  Index threads = 0;  // 0: all that this process may use
  Index seed_value = 1;
  double memory_limit = 0.0;  // bytes; 0: none

  Seed seed() const { return {static_cast<std::uint64_t>(seed_value)}; }
  int thread_count() const;
};

ColorChoice parse_color(const std::string& word);  // throws Errc::usage
OptionText color_option();

void add_output_options(Command& command, Session& session);  // --json, --color
void add_threads_option(Command& command, Session& session);
void add_memory_option(Command& command, Session& session);
void add_seed_option(Command& command, Session& session, const std::string& what_it_decides);

/// Each adds its command to the application; the command runs once all options are read.
void add_train(CLI::App& app, Session& session);
void add_encode(CLI::App& app, Session& session);
void add_index(CLI::App& app, Session& session);
void add_search(CLI::App& app, Session& session);
void add_evaluate(CLI::App& app, Session& session);
void add_convert(CLI::App& app, Session& session);
void add_export(CLI::App& app, Session& session);
void add_inspect(CLI::App& app, Session& session);
void add_methods(CLI::App& app, Session& session);
void add_measures(CLI::App& app, Session& session);
void add_features(CLI::App& app, Session& session);
void add_data(CLI::App& app, Session& session);
void add_demo(CLI::App& app, Session& session);
void add_experiment(CLI::App& app, Session& session);
void add_report(CLI::App& app, Session& session);

}  // namespace structhash::cli
