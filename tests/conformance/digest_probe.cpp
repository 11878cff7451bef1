#include <iostream>

#include "conformance/digests.hpp"

/// Prints one line per method: scripts/compare_builds.sh compares those of two builds.
int main() {
  for (const structhash::MethodEntry& method : structhash::kMethods) {
    const auto digests = structhash::test::digests_of(method, 2);
    std::cout << method.name << ' ' << digests.model << ' ' << digests.codes << ' '
              << digests.neighbours << '\n';
  }
}
