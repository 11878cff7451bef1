#pragma once

#include <functional>
#include <string>

/// The library never prints: long work tells its progress to a callback of the caller's.
namespace structhash {

struct Progress {
  std::string stage;   // "training", "encoding", ...
  double done = 0.0;   // in the unit of `total`
  double total = 0.0;  // 0 when not known
  std::string detail;  // objective, planes, ...; may be empty
};

/// Returns false to ask the work to stop: it then throws Errc::interrupted at the next safe point.
using ProgressCallback = std::function<bool(const Progress&)>;

/// Calls the callback if there is one, and throws Errc::interrupted if it asks to stop.
void report(const ProgressCallback& callback, const Progress& progress);

}  // namespace structhash
