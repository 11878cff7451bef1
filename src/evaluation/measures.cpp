#include "structhash/evaluation/measures.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

std::string known_names() {
  std::string names;
  for (const EvaluationMeasure& measure : kEvaluationMeasures) {
    names += names.empty() ? "" : ", ";
    names += measure.name;
    switch (measure.cutoff) {
      case CutOff::none:
        break;
      case CutOff::optional:
        names += "[@K]";
        break;
      case CutOff::rank:
        names += "@K";
        break;
      case CutOff::radius:
        names += "@R";
        break;
    }
  }
  return names;
}

const EvaluationMeasure& find(std::string_view name, std::string_view text) {
  for (const EvaluationMeasure& measure : kEvaluationMeasures) {
    if (measure.name == name) {
      return measure;
    }
  }
  fail(Errc::usage, fmt::format("unknown measure \"{}\"; known are {}", text, known_names()));
}

Index parse_cutoff(const EvaluationMeasure& measure, std::string_view digits,
                   std::string_view text) {
  const Index least = measure.cutoff == CutOff::radius ? 0 : 1;
  Index value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || stop != end || value < least) {
    fail(Errc::usage, fmt::format("measure \"{}\": after the @ stands a whole number of {} or "
                                  "more, as in {}@{}",
                                  text, least, measure.name, least == 0 ? 2 : 100));
  }
  return value;
}

}  // namespace

std::string MeasureRequest::name() const {
  const bool has_cutoff = measure->cutoff == CutOff::rank || measure->cutoff == CutOff::radius ||
                          (measure->cutoff == CutOff::optional && cutoff > 0);
  return has_cutoff ? fmt::format("{}@{}", measure->name, cutoff) : std::string(measure->name);
}

MeasureRequest parse_evaluation_measure(std::string_view text) {
  const std::size_t at = text.find('@');
  const EvaluationMeasure& measure = find(text.substr(0, at), text);
  if (at == std::string_view::npos) {
    if (measure.cutoff == CutOff::rank || measure.cutoff == CutOff::radius) {
      fail(Errc::usage, fmt::format("measure \"{}\" needs a {}, as in {}@{}", text,
                                    measure.cutoff == CutOff::rank ? "cut-off" : "radius",
                                    measure.name, measure.cutoff == CutOff::rank ? 100 : 2));
    }
    return {.measure = &measure, .cutoff = 0};
  }
  if (measure.cutoff == CutOff::none) {
    fail(Errc::usage, fmt::format("measure \"{}\" looks at the whole ranking: write {} without @",
                                  text, measure.name));
  }
  return {.measure = &measure, .cutoff = parse_cutoff(measure, text.substr(at + 1), text)};
}

}  // namespace structhash
