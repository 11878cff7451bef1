#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "structhash/core/error.hpp"
#include "support/temporary_folder.hpp"

/// Damage that every reader of our files has to notice.
namespace structhash::test {

/// Calls visit(what was done, damaged bytes) for every byte XOR 0x01, 0x80 and 0xFF, every
/// truncation and several kinds of appended garbage.
inline void for_every_damage(
    const std::string& bytes,
    const std::function<void(const std::string& what, const std::string& damaged)>& visit) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int mask : {0x01, 0x80, 0xFF}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ mask);
      visit("byte " + std::to_string(at) + " xor " + std::to_string(mask), damaged);
    }
  }
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    visit("cut to " + std::to_string(length), bytes.substr(0, length));
  }
  for (const std::string& garbage : {std::string(1, '\0'), std::string("\xFF"), std::string("\n"),
                                     std::string(64, '\0'), bytes}) {
    visit("with " + std::to_string(garbage.size()) + " bytes appended", bytes + garbage);
  }
}

/// Expects Errc::corrupt_file, with the path in the message, from `load` for every damage.
inline void expect_every_damage_refused(const std::string& bytes,
                                        const std::function<void(const std::string& path)>& load) {
  const TemporaryFolder folder;
  const std::string path = folder.file("damaged");
  write_bytes(path, bytes);
  ASSERT_NO_THROW(load(path)) << "the undamaged file must be readable";
  for_every_damage(bytes, [&](const std::string& what, const std::string& damaged) {
    write_bytes(path, damaged);
    try {
      load(path);
      ADD_FAILURE() << what << ": accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::corrupt_file) << what << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    }
  });
}

}  // namespace structhash::test
