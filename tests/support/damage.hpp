#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "structhash/core/error.hpp"
#include "support/temporary_folder.hpp"

/// Damage that every reader of our files has to notice.
namespace structhash::test {

/// A copy of a file that is damaged in place, one damage at a time, and mended again.
class DamagedCopy {
 public:
  DamagedCopy(std::string path, const std::string& bytes) : path_(std::move(path)), bytes_(bytes) {
    write_bytes(path_, bytes_);
  }

  /// Calls visit(what was done) with every byte XOR 0x01, 0x80 and 0xFF, cut to every length, and
  /// with several kinds of garbage appended.
  void for_every_damage(const std::function<void(const std::string& what)>& visit) {
    for (std::size_t at = 0; at < bytes_.size(); ++at) {
      for (const int mask : {0x01, 0x80, 0xFF}) {
        put(at, static_cast<char>(bytes_[at] ^ mask));
        visit("byte " + std::to_string(at) + " xor " + std::to_string(mask));
      }
      put(at, bytes_[at]);
    }
    for (const std::string& garbage : {std::string(1, '\0'), std::string("\xFF"), std::string("\n"),
                                       std::string(64, '\0'), bytes_}) {
      write_bytes(path_, bytes_ + garbage);
      visit("with " + std::to_string(garbage.size()) + " bytes appended");
    }
    for (std::size_t length = bytes_.size(); length-- > 0;) {
      std::filesystem::resize_file(path_, length);
      visit("cut to " + std::to_string(length));
    }
  }

 private:
  void put(std::size_t at, char byte) const {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  }

  std::string path_;
  std::string bytes_;
};

/// Expects Errc::corrupt_file, with the path in the message, from `load` for every damage.
inline void expect_every_damage_refused(const std::string& bytes,
                                        const std::function<void(const std::string& path)>& load) {
  const TemporaryFolder folder;
  const std::string path = folder.file("damaged");
  DamagedCopy copy(path, bytes);
  ASSERT_NO_THROW(load(path)) << "the undamaged file must be readable";
  copy.for_every_damage([&](const std::string& what) {
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
