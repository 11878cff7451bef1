#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "fuzz/targets.hpp"

/// libFuzzer's entry points.  One program for all targets: structhash_fuzz --target=NAME corpus ...
namespace {

void (*chosen)(structhash::fuzz::Bytes bytes) = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view option = "--target=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view word((*argv)[i]);
    for (const auto& target : structhash::fuzz::kTargets) {
      if (word.starts_with(option) && word.substr(option.size()) == target.name) {
        chosen = target.run;
      }
    }
  }
  if (chosen == nullptr) {
    std::cerr << "Say --target= with one of:";
    for (const auto& target : structhash::fuzz::kTargets) {
      std::cerr << ' ' << target.name;
    }
    std::cerr << '\n';
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen({data, size});
  return 0;
}
