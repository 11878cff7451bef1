#include "session.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <string>

#include "choices.hpp"

namespace structhash::cli {

void add_color_option(CLI::App& command, Session& session) {
  command
      .add_option_function<std::string>(
          "--color",
          [&session](const std::string& word) {
            session.color = choose("--color", word,
                                   std::array{Choice{"auto", ColorChoice::automatic},
                                              Choice{"always", ColorChoice::always},
                                              Choice{"never", ColorChoice::never}});
          },
          "Colours: auto, always or never (default auto)")
      ->option_text("WHEN");
}

void add_json_option(CLI::App& command, Session& session) {
  command.add_flag("--json", session.json, "Print one JSON object instead of text");
}

void add_threads_option(CLI::App& command, Session& session) {
  command.add_option("--threads", session.threads, "Threads; 0 takes all (default 0)")
      ->check(CLI::Range(0, 4096))
      ->option_text("N");
}

void add_seed_option(CLI::App& command, Session& session, const char* what_it_decides) {
  command
      .add_option("--seed", session.seed,
                  std::string("Random seed, decides ") + what_it_decides + " (default 1)")
      ->option_text("S");
}

}  // namespace structhash::cli
