#include "structhash/baselines/methods.hpp"

#include <algorithm>
#include <vector>

#include "structhash/core/error.hpp"
#include "structhash/core/suggest.hpp"

namespace structhash {

const MethodEntry& find_method(std::string_view name) {
  const auto* const found = std::ranges::find(kMethods, name, &MethodEntry::name);
  if (found == kMethods.end()) {
    std::vector<std::string_view> known;
    known.reserve(kMethods.size());
    for (const MethodEntry& entry : kMethods) {
      known.push_back(entry.name);
    }
    fail(Errc::usage, unknown_name("method", name, known));
  }
  return *found;
}

}  // namespace structhash
