#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <ostream>
#include <string>

#include "structhash/baselines/methods.hpp"

namespace structhash {

/// GoogleTest would print the bytes of the entry into every test's name.
inline void PrintTo(const MethodEntry& entry, std::ostream* out) {
  *out << entry.name;
}

namespace test {

inline std::string method_name(const testing::TestParamInfo<MethodEntry>& info) {
  std::string name(info.param.name);
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
}

}  // namespace test
}  // namespace structhash
