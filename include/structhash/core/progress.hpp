#pragma once

#include <functional>
#include <string>

/// The library never prints: long work reports its progress to a callback of the caller.
namespace structhash {

struct Progress {
  std::string stage;   // "training", "encoding", ...
  double done = 0.0;   // in the unit of `total`
  double total = 0.0;  // 0 when not known
  std::string detail;  // objective, planes, ...; may be empty
};

/// Return false to stop the work: it then throws Errc::interrupted at the next safe point.
using ProgressCallback = std::function<bool(const Progress&)>;

/// Calls the callback if there is one, and throws Errc::interrupted if it returns false.
void report(const ProgressCallback& callback, const Progress& progress);

}  // namespace structhash
