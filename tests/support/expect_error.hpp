#pragma once

#include <gtest/gtest.h>

#include <string>

#include "structhash/core/error.hpp"

namespace structhash::test {

/// Expects that `action` throws structhash::Error with this code and these words in its message.
template <typename Action>
void expect_error(Errc code, const std::string& words, Action&& action) {
  try {
    action();
    ADD_FAILURE() << "no error; expected one that says \"" << words << '"';
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos)
        << "\"" << error.what() << "\" does not say \"" << words << '"';
  }
}

}  // namespace structhash::test
