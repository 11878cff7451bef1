#include "distance_option.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "choices.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

constexpr std::array kDistances{
    Choice{"adaptive", QueryDistance::adaptive}, Choice{"asymmetric", QueryDistance::asymmetric},
    Choice{"weighted", QueryDistance::weighted}, Choice{"hamming", QueryDistance::hamming}};

}  // namespace

void add_distance_option(Command& command, std::optional<QueryDistance>& distance) {
  command.word(
      {"--distance", "NAME",
       "adaptive, weighted, hamming, or asymmetric: a differing bit costs the decision value of "
       "the query (default: the first that the model has)"},
      [&distance](const std::string& word) { distance = choose("--distance", word, kDistances); });
}

void add_stored_distance_option(Command& command, std::optional<QueryDistance>& distance) {
  command.word({"--distance", "NAME",
                "weighted (default if the model has bit weights) or hamming; the adaptive distance "
                "works with "
                "either"},
               [&distance](const std::string& word) {
                 distance = choose("--distance", word,
                                   std::array{Choice{"weighted", QueryDistance::weighted},
                                              Choice{"hamming", QueryDistance::hamming}});
               });
}

std::string_view name_of(QueryDistance distance) {
  const auto* const found = std::ranges::find(kDistances, distance, &Choice<QueryDistance>::value);
  return found->name;
}

std::string_view long_name_of(QueryDistance distance) {
  switch (distance) {
    case QueryDistance::adaptive:
      return "adaptive Hamming";
    case QueryDistance::asymmetric:
      return "asymmetric";
    case QueryDistance::weighted:
      return "weighted Hamming";
    case QueryDistance::hamming:
      break;
  }
  return "Hamming";
}

bool uses_values(QueryDistance distance) {
  return distance == QueryDistance::adaptive || distance == QueryDistance::asymmetric;
}

Matrix<float> query_values(const HashModel& model, QueryDistance distance, const MatrixView& x,
                           int threads) {
  if (distance == QueryDistance::adaptive) {
    return adaptive_values(model, x, threads);
  }
  Matrix<float> values = decision_values(model.encoder, x, threads);
  for (Index bit = 0; bit < std::ssize(model.bit_weights); ++bit) {
    values.col(bit) *= model.bit_weights[static_cast<std::size_t>(bit)];
  }
  return values;
}

QueryDistance distance_for(const HashModel& model, const std::string& path,
                           std::optional<QueryDistance> given) {
  if (given == QueryDistance::adaptive) {
    require_adaptive(model);
  }
  if (given == QueryDistance::weighted && model.bit_weights.empty()) {
    fail(Errc::usage, fmt::format("{} has no bit weights ({} gives none); use --distance hamming",
                                  path, model.method));
  }
  if (given) {
    return *given;
  }
  return !model.mean_magnitudes.empty() ? QueryDistance::adaptive
         : !model.bit_weights.empty()   ? QueryDistance::weighted
                                        : QueryDistance::hamming;
}

}  // namespace structhash::cli
