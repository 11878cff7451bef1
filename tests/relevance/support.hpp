#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "structhash/core/error.hpp"
#include "structhash/relevance/builders.hpp"

namespace structhash {

inline bool equal(const BuiltLists& a, const BuiltLists& b) {
  return std::ranges::equal(a.lists, b.lists, [](const auto& x, const auto& y) {
    return x.query == y.query && x.relevant == y.relevant && x.irrelevant == y.irrelevant &&
           x.weight == y.weight;
  });
}

/// What every builder promises of a list.
inline void expect_sound(const RelevanceList& list, const ListOptions& options) {
  EXPECT_GE(std::ssize(list.relevant), 1);
  EXPECT_GE(std::ssize(list.irrelevant), 1);
  EXPECT_LE(std::ssize(list.relevant), options.relevant);
  EXPECT_LE(std::ssize(list.irrelevant), options.irrelevant);
  std::vector<Index> all = list.relevant;
  all.insert(all.end(), list.irrelevant.begin(), list.irrelevant.end());
  all.push_back(list.query);
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end()) << "an item twice, or the query itself";
  EXPECT_TRUE(std::ranges::is_sorted(list.relevant));
  EXPECT_TRUE(std::ranges::is_sorted(list.irrelevant));
}

/// The message of the Error that `body` throws; its code must be `code`.
template <typename Body>
std::string message_of(Errc code, Body body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace structhash
