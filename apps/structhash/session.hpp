#pragma once

#include <cstdint>

#include "terminal.hpp"

namespace CLI {
class App;
}

/// What every command shares: the options that mean the same everywhere.
namespace structhash::cli {

struct Session {
  ColorChoice color = ColorChoice::automatic;
  bool json = false;
  int threads = 0;  // 0: all that this process may use
  std::uint64_t seed = 1;
};

void add_color_option(CLI::App& command, Session& session);
void add_json_option(CLI::App& command, Session& session);
void add_threads_option(CLI::App& command, Session& session);
void add_seed_option(CLI::App& command, Session& session, const char* what_it_decides);

/// Each adds its command to the application; CLI11 calls the command once all options are read.
void add_train(CLI::App& app, Session& session);
void add_encode(CLI::App& app, Session& session);
void add_evaluate(CLI::App& app, Session& session);
void add_inspect(CLI::App& app, Session& session);
void add_methods(CLI::App& app, Session& session);
void add_measures(CLI::App& app, Session& session);
void add_demo(CLI::App& app, Session& session);

}  // namespace structhash::cli
