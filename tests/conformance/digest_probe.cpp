#include <array>
#include <iostream>
#include <string_view>

#include "conformance/digests.hpp"

namespace {

struct Case {
  std::string_view name;
  std::string_view method;
  structhash::MethodOptions options;
};

/// Variants of methods whose defaults leave code untouched.
std::vector<Case> variants() {
  return {
      {"structhash-kernel", "structhash", {.functions = "kernel"}},
      {"structhash-stump", "structhash", {.functions = "stump"}},
      {"structhash-tree", "structhash", {.functions = "tree"}},
      {"structhash-map", "structhash", {.measure = "map"}},
      {"structhash-precision", "structhash", {.measure = "precision@10"}},
      {"structhash-stage-wise", "structhash", {.extra = {{"stage-wise", "true"}}}},
      {"structhash-given",
       "structhash",
       {.functions = "kernel",
        .extra = {{"trade-off", "10"},
                  {"ridge", "0.001"},
                  {"penalty", "0.3"},
                  {"width", "0.4"},
                  {"shrinkage", "0.5"},
                  {"dither", "0.2"},
                  {"bootstrap", "true"}}}},
      {"cgh-kernel", "cgh", {.functions = "kernel"}},
      {"cgh-squared-hinge", "cgh", {.extra = {{"loss", "squared-hinge"}}}},
      {"sdh-linear", "sdh", {.functions = "linear"}},
      {"ksh-linear", "ksh", {.functions = "linear"}},
      {"mihash-linear", "mihash", {.functions = "linear"}},
  };
}

void print(std::string_view name, const structhash::test::Digests& digests) {
  std::cout << name << ' ' << digests.model << ' ' << digests.codes << ' ' << digests.neighbours
            << '\n';
}

}  // namespace

/// Prints one line per method and variant: compared with tests/golden/digests.txt by ctest, and
/// between two builds by scripts/compare_builds.sh.
int main() {
  for (const structhash::MethodEntry& method : structhash::methods()) {
    print(method.name, structhash::test::digests_of(method, 2));
  }
  for (const Case& variant : variants()) {
    print(variant.name, structhash::test::digests_of(structhash::find_method(variant.method), 2,
                                                     variant.options));
  }
}
