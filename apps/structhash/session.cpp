#include "session.hpp"

#include <algorithm>
#include <array>

#include "choices.hpp"
#include "memory_limit.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash::cli {

int Session::thread_count() const {
  constexpr Index kMax = 4096;
  return resolve_threads(static_cast<int>(std::min(threads, kMax)));
}

ColorChoice parse_color(const std::string& word) {
  return choose(
      "--color", word,
      std::array{Choice{"auto", ColorChoice::automatic}, Choice{"always", ColorChoice::always},
                 Choice{"never", ColorChoice::never}});
}

OptionText color_option() {
  return {"--color", "WHEN", "Colours: auto, always or never (default auto)"};
}

void add_output_options(Command& command, Session& session) {
  command.flag("--json", session.json, "Print one JSON object instead of text");
  command.word(color_option(),
               [&session](const std::string& word) { session.color = parse_color(word); });
}

void add_threads_option(Command& command, Session& session) {
  command.number({"--threads", "N", "Number of threads; 0: all processors (default 0)"},
                 session.threads, 0);
}

void add_memory_option(Command& command, Session& session) {
  command.word({"--memory-limit", "SIZE",
                "Memory that may be used, for example 2GiB; more is refused (default: no limit)"},
               [&session](const std::string& word) { session.memory_limit = parse_size(word); });
}

void add_seed_option(Command& command, Session& session, const std::string& what_it_decides) {
  command.number({"--seed", "S", "Random seed; determines " + what_it_decides + " (default 1)"},
                 session.seed_value, 0);
}

}  // namespace structhash::cli
