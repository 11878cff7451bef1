#include "distance_option.hpp"

#include <fmt/format.h>

#include "choices.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {

Distance parse_distance(const std::string& word) {
  return choose(
      "--distance", word,
      std::array{Choice{"weighted", Distance::weighted}, Choice{"hamming", Distance::hamming}});
}

void add_distance_option(Command& command, std::optional<Distance>& distance) {
  command.word({"--distance", "NAME",
                "weighted or hamming (default: weighted if the model has bit weights)"},
               [&distance](const std::string& word) { distance = parse_distance(word); });
}

std::span<const float> weights_for(const HashModel& model, const std::string& path,
                                   std::optional<Distance> distance) {
  if (distance == Distance::weighted && model.bit_weights.empty()) {
    fail(Errc::usage, fmt::format("{} has no bit weights ({} gives none); use --distance hamming",
                                  path, model.method));
  }
  return distance == Distance::hamming ? std::span<const float>{}
                                       : std::span<const float>{model.bit_weights};
}

}  // namespace structhash::cli
