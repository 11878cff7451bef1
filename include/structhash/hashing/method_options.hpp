#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/core/types.hpp"

/// How a method is configured from text: the command line, experiment files, Python.
namespace structhash {

struct MethodOptions {
  Index bits = 64;
  std::string measure{};                       // "ndcg@100"; empty: the method's default
  std::string functions{};                     // "linear", "kernel", ...; empty: the default
  std::map<std::string, std::string> extra{};  // options of this method alone
};

/// One option of a method as help, reference pages and Python signatures show it.
struct OptionInfo {
  std::string_view name;
  std::string_view type;      // "integer", "number", "flag", "choice" or "text"
  std::string default_value;  // "auto": chosen from the data
  std::string allowed;        // "1 to 4,096", "above 0", "true or false", "linear or kernel"
  std::vector<std::string_view> choices{};    // of a choice
  std::string_view help{};                    // one sentence
  std::vector<std::string_view> functions{};  // that use it; empty: all of the method's
};

/// Hands out options one by one and afterwards refuses those that nobody asked for: an option that
/// has no effect is a mistake of the user's.  Errors are Errc::usage and name method and option.
class OptionReader {
 public:
  OptionReader(std::string_view method, MethodOptions options);

  Index integer(std::string_view name, Index missing);
  double number(std::string_view name, double missing);
  bool flag(std::string_view name, bool missing);  // "true" or "false"
  std::string text(std::string_view name, std::string_view missing);
  std::string measure(std::string_view missing);
  std::string functions(std::string_view missing);

  /// Throws for any option not asked for; lists those that were.
  void finish() const;

 private:
  const std::string* find(std::string_view name);
  [[noreturn]] void fail_value(std::string_view name, std::string_view expected) const;

  std::string method_;
  MethodOptions options_;
  std::set<std::string, std::less<>> asked_;
  bool takes_measure_ = false;
  bool takes_functions_ = false;
};

}  // namespace structhash
