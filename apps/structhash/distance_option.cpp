#include "distance_option.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "choices.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

constexpr std::array kDistances{Choice{"adaptive", Distance::adaptive},
                                Choice{"weighted", Distance::weighted},
                                Choice{"hamming", Distance::hamming}};

}  // namespace

Distance parse_distance(const std::string& word) {
  return choose("--distance", word, kDistances);
}

void add_distance_option(Command& command, std::optional<Distance>& distance) {
  command.word({"--distance", "NAME",
                "adaptive, weighted or hamming (default: the first that the model has)"},
               [&distance](const std::string& word) { distance = parse_distance(word); });
}

std::string_view name_of(Distance distance) {
  const auto* const found = std::ranges::find(kDistances, distance, &Choice<Distance>::value);
  return found->name;
}

std::string_view long_name_of(Distance distance) {
  return distance == Distance::adaptive   ? "adaptive Hamming"
         : distance == Distance::weighted ? "weighted Hamming"
                                          : "Hamming";
}

Distance distance_for(const HashModel& model, const std::string& path,
                      std::optional<Distance> given) {
  if (given == Distance::adaptive) {
    require_adaptive(model);
  }
  if (given == Distance::weighted && model.bit_weights.empty()) {
    fail(Errc::usage, fmt::format("{} has no bit weights ({} gives none); use --distance hamming",
                                  path, model.method));
  }
  if (given) {
    return *given;
  }
  return !model.mean_magnitudes.empty() ? Distance::adaptive
         : !model.bit_weights.empty()   ? Distance::weighted
                                        : Distance::hamming;
}

}  // namespace structhash::cli
