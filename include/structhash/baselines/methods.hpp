#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// The table of methods (docs/adr/0006): one line per method, nothing registers itself.
namespace structhash {

enum class Distance { hamming, weighted };  // what the codes of a method are compared by

struct MethodEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view reference;
  Supervision supervision;
  Distance distance;
  std::unique_ptr<Hasher> (*make)(const MethodOptions& options);
  std::string_view own_distance{};  // the authors' own, beside Hamming distance (own_distance.hpp)
};

/// Every method; StructHash first.
std::span<const MethodEntry> methods();

/// Throws Errc::usage with the known names if there is no such method.
const MethodEntry& find_method(std::string_view name);

}  // namespace structhash
