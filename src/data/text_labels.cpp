#include "data/text_labels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/line_reader.hpp"

namespace structhash::data {
namespace {

bool is_class_number(double value) {
  return std::nearbyint(value) == value && value >= std::numeric_limits<int>::min() &&
         value <= std::numeric_limits<int>::max();
}

double number_of(std::string_view text) {
  double value = 0.0;
  parse_number(text, value);
  return value;
}

}  // namespace

void TextLabels::add(std::string_view text) {
  const auto [entry, is_new] =
      places_.try_emplace(std::string(text), static_cast<int>(values_.size()));
  if (is_new) {
    values_.emplace_back(text);
    first_rows_.push_back(size());
  }
  rows_.push_back(entry->second);
}

const std::string& TextLabels::operator[](Index row) const {
  return values_[static_cast<std::size_t>(rows_[static_cast<std::size_t>(row)])];
}

bool TextLabels::all_numbers() const {
  return std::ranges::all_of(values_, [](const std::string& text) {
    double value = 0.0;
    return parse_number(text, value);
  });
}

Index TextLabels::first_bad_number() const {
  if (!all_numbers()) {
    return -1;
  }
  const auto bad = std::ranges::find_if_not(
      values_, [](const std::string& text) { return is_class_number(number_of(text)); });
  return bad == values_.end() ? -1 : first_rows_[static_cast<std::size_t>(bad - values_.begin())];
}

Labels TextLabels::classes() const {
  Labels labels;
  std::vector<int> numbers;
  if (all_numbers()) {
    for (const std::string& text : values_) {
      numbers.push_back(static_cast<int>(number_of(text)));
    }
  } else {
    labels.names = values_;
    std::ranges::sort(labels.names);
    for (const std::string& text : values_) {
      numbers.push_back(
          static_cast<int>(std::ranges::lower_bound(labels.names, text) - labels.names.begin()));
    }
  }
  labels.classes.reserve(rows_.size());
  for (const int place : rows_) {
    labels.classes.push_back(numbers[static_cast<std::size_t>(place)]);
  }
  return labels;
}

}  // namespace structhash::data
