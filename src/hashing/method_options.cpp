#include "structhash/hashing/method_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "core/suggest.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

template <typename Number>
bool parse(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

}  // namespace

OptionReader::OptionReader(std::string_view method, MethodOptions options)
    : method_(method), options_(std::move(options)) {}

const std::string* OptionReader::find(std::string_view name) {
  asked_.emplace(name);
  const auto found = options_.extra.find(std::string(name));
  return found == options_.extra.end() ? nullptr : &found->second;
}

void OptionReader::fail_value(std::string_view name, std::string_view expected) const {
  fail(Errc::usage, fmt::format("option '{}' of method '{}' is '{}'; expected {}", name, method_,
                                options_.extra.at(std::string(name)), expected));
}

Index OptionReader::integer(std::string_view name, Index missing) {
  const std::string* text = find(name);
  Index value = missing;
  if (text != nullptr && !parse(*text, value)) {
    fail_value(name, "a whole number");
  }
  return value;
}

double OptionReader::number(std::string_view name, double missing) {
  const std::string* text = find(name);
  double value = missing;
  if (text != nullptr && (!parse(*text, value) || !std::isfinite(value))) {
    fail_value(name, "a number");
  }
  return value;
}

bool OptionReader::flag(std::string_view name, bool missing) {
  const std::string* text = find(name);
  if (text != nullptr && *text != "true" && *text != "false") {
    fail_value(name, "true or false");
  }
  return text == nullptr ? missing : *text == "true";
}

std::string OptionReader::text(std::string_view name, std::string_view missing) {
  const std::string* text = find(name);
  return text == nullptr ? std::string(missing) : *text;
}

std::string OptionReader::measure(std::string_view missing) {
  takes_measure_ = true;
  return options_.measure.empty() ? std::string(missing) : options_.measure;
}

std::string OptionReader::functions(std::string_view missing) {
  takes_functions_ = true;
  return options_.functions.empty() ? std::string(missing) : options_.functions;
}

void OptionReader::finish() const {
  require(takes_measure_ || options_.measure.empty(),
          fmt::format("method '{}' does not learn for a measure; leave out measure '{}'", method_,
                      options_.measure));
  require(takes_functions_ || options_.functions.empty(),
          fmt::format("method '{}' has no choice of hash functions; leave out functions '{}'",
                      method_, options_.functions));
  const std::vector<std::string_view> known(asked_.begin(), asked_.end());
  for (const auto& [name, value] : options_.extra) {
    require(asked_.contains(name),
            unknown_name(fmt::format("option of method '{}':", method_), name, known));
  }
}

}  // namespace structhash
