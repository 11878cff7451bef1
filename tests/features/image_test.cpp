#include "features/image.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>

#include "features/pictures.hpp"
#include "support/expect_error.hpp"
#include "support/memory_limit.hpp"
#include "support/temporary_folder.hpp"

namespace structhash::test {
namespace {

class Images : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.file(name)).parent_path());
    write_bytes(folder_.file(name), bytes);
    return folder_.file(name);
  }
  static ImageSet load(const std::vector<std::string>& paths, Index size = 0) {
    return load_images(paths, {.size = size, .threads = 2});
  }

  const TemporaryFolder folder_;
};

TEST_F(Images, PngPixelsAreExact) {
  for (const Index channels : {1, 3}) {
    const ImageSet images = load({write("a.png", ramp_png(5, 7, channels))});
    EXPECT_EQ(images.count, 1);
    EXPECT_EQ(images.height, 5);
    EXPECT_EQ(images.width, 7);
    EXPECT_EQ(images.channels, channels);
    EXPECT_EQ(images.pixels, ramp(5, 7, channels));
    EXPECT_TRUE(images.labels.empty());
  }
}

TEST_F(Images, TransparentPngLiesOnWhite) {
  const ImageSet images = load({write("a.png", png(1, 2, 4, {9, 8, 7, 255, 9, 8, 7, 0}))});
  EXPECT_EQ(images.pixels, (std::vector<std::uint8_t>{9, 8, 7, 255, 255, 255}));
}

TEST_F(Images, JpegPixelsAreClose) {
  for (const Index channels : {1, 3}) {
    const ImageSet images = load({write("a.JPG", ramp_jpeg(16, 8, channels))});
    EXPECT_EQ(images.channels, channels);
    const std::vector<std::uint8_t> expected = ramp(16, 8, channels);
    ASSERT_EQ(images.pixels.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(images.pixels[i], expected[i], 8);
    }
  }
}

TEST_F(Images, CifarRowsBecomePixelsAndLabels) {
  std::string batch;
  for (int image = 0; image < 2; ++image) {
    batch += static_cast<char>(3 + image);
    for (int i = 0; i < 3072; ++i) {
      batch += static_cast<char>(i / 1024 * 80 + i % 32 + image);
    }
  }
  const ImageSet images = load({write("data_batch_1.bin", batch)});
  EXPECT_EQ(images.count, 2);
  EXPECT_EQ(images.height, 32);
  EXPECT_EQ(images.channels, 3);
  EXPECT_EQ(images.labels, (std::vector<int>{3, 4}));
  for (const Index x : {0, 31}) {
    for (const Index c : {0, 1, 2}) {
      EXPECT_EQ(images.image(1)[(5 * 32 + x) * 3 + c], c * 80 + x + 1);
    }
  }
}

TEST_F(Images, StlColumnsComeFirst) {
  std::string bytes(27'648, '\0');
  bytes[1] = 7;               // red: y = 1, x = 0
  bytes[9216 + 96] = '\x09';  // green: y = 0, x = 1
  const ImageSet images = load({write("train_X.bin", bytes)});
  EXPECT_EQ(images.image(0)[96 * 3], 7);
  EXPECT_EQ(images.image(0)[3 + 1], 9);
}

TEST_F(Images, IdxIsGreyAndNeedsThreeDimensions) {
  const std::string head("\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03", 16);
  const ImageSet images = load({write("t-images-idx3-ubyte", head + "abcdefghijkl")});
  EXPECT_EQ(images.count, 2);
  EXPECT_EQ(images.height, 2);
  EXPECT_EQ(images.width, 3);
  EXPECT_EQ(images.image(1)[0], 'g');
  const std::string labels("\0\0\x08\x01\0\0\0\x02\x01\x02", 10);
  expect_error(Errc::bad_data, "holds no images",
               [&] { load({write("t-labels-idx1-ubyte", labels)}); });
}

TEST_F(Images, FoldersAreSortedAndFoldersInThemAreClasses) {
  write("flat/b.png", ramp_png(2, 2, 1));
  write("flat/a.png", png(2, 2, 1, {1, 1, 1, 1}));
  write("flat/notes.txt", "not an image");
  const ImageSet flat = load({folder_.file("flat")});
  EXPECT_EQ(flat.count, 2);
  EXPECT_EQ(flat.image(0)[0], 1);
  EXPECT_TRUE(flat.labels.empty());

  write("set/dog/x.png", ramp_png(2, 2, 3));
  write("set/cat/z.png", ramp_png(2, 2, 1));
  write("set/cat/deeper/y.jpeg", ramp_jpeg(2, 2, 1));
  const ImageSet classes = load({folder_.file("set")});
  EXPECT_EQ(classes.count, 3);
  EXPECT_EQ(classes.channels, 3);  // one of them has colours
  EXPECT_EQ(classes.labels, (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(classes.classes, (std::vector<std::string>{"cat", "dog"}));
}

TEST_F(Images, PartsAreJoinedInTheirOrder) {
  const std::string grey = write("a.png", png(2, 3, 1, {1, 2, 3, 4, 5, 6}));
  const std::string colour = write("b.png", ramp_png(2, 3, 3));
  const std::string head("\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x03", 16);
  const std::string table = write("c.idx", head + "abcdef");
  const ImageSet images = load({table, grey, colour});
  EXPECT_EQ(images.count, 3);
  EXPECT_EQ(images.channels, 3);
  EXPECT_EQ(images.image(0)[5], 'b');
  EXPECT_EQ(images.image(1)[5], 2);
  EXPECT_EQ(images.image(2)[4], ramp(2, 3, 3)[4]);
}

TEST_F(Images, UnequalSizesAreNamedUnlessASizeIsAskedFor) {
  const std::string a = write("a.png", ramp_png(8, 8, 1));
  const std::string b = write("b.png", ramp_png(8, 8, 1));
  const std::string c = write("c.png", ramp_png(8, 10, 1));
  expect_error(Errc::bad_data, "c.png: is 10 x 8 pixels", [&] { load({a, b, c}); });
  expect_error(Errc::bad_data, "--size N", [&] { load({a, b, c}); });
  const ImageSet images = load({a, b, c}, 4);
  EXPECT_EQ(images.count, 3);
  EXPECT_EQ(images.height, 4);
  EXPECT_EQ(images.width, 4);
  const std::string head("\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x03", 16);
  const std::string table = write("c.idx", head + "abcdef");
  expect_error(Errc::bad_data, "c.idx: its images are 3 x 2", [&] { load({a, table}); });
  EXPECT_EQ(load({a, table}, 2).count, 2);
}

TEST_F(Images, ErrorsNameTheFile) {
  expect_error(Errc::usage, "no image file", [&] { load({}); });
  expect_error(Errc::usage, "the size of images", [&] { load({"a.png"}, Index{1} << 40U); });
  expect_error(Errc::io, "gone.png", [&] { load({folder_.file("gone.png")}); });
  expect_error(Errc::bad_data, "text.png: is neither", [&] { load({write("text.png", "hello")}); });
  expect_error(Errc::bad_data, "empty.png: is empty", [&] { load({write("empty.png", "")}); });
  std::filesystem::create_directory(folder_.file("nothing"));
  expect_error(Errc::bad_data, "holds no .png", [&] { load({folder_.file("nothing")}); });
  write("mixed/a.png", ramp_png(2, 2, 1));
  write("mixed/class/b.png", ramp_png(2, 2, 1));
  expect_error(Errc::bad_data, "a folder for each class", [&] { load({folder_.file("mixed")}); });
  write("other/fish/a.png", ramp_png(2, 2, 1));
  write("set/cat/a.png", ramp_png(2, 2, 1));
  expect_error(Errc::bad_data, "different classes",
               [&] { load({folder_.file("set"), folder_.file("other")}); });
}

TEST_F(Images, FilesThatAreNoPicturesHereSayWhatToDo) {
  expect_error(Errc::bad_data, "print.jpg: is a CMYK JPEG image",
               [&] { load({write("print.jpg", ramp_jpeg(8, 8, 4))}); });
  expect_error(Errc::bad_data, "packed.png: is a gzip file",
               [&] { load({write("packed.png", "\x1f\x8b and more")}); });
  std::filesystem::resize_file(write("large.png", ramp_png(2, 2, 1)), (1U << 30U) + 1);
  expect_error(Errc::bad_data, "large.png: is larger than 1 GB",
               [&] { load({folder_.file("large.png")}); });
}

TEST_F(Images, DamagedFilesAreRefusedOrHarmless) {
  for (const auto& [name, bytes] :
       {std::pair{"a.png", ramp_png(9, 9, 3)}, std::pair{"a.jpg", ramp_jpeg(9, 9, 3)}}) {
    const auto try_to_read = [&, path = folder_.file(name)](const std::string& damaged) {
      write_bytes(path, damaged);
      try {
        return load({path}).count == 1;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Errc::bad_data) << error.what();
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
        return false;
      }
    };
    ASSERT_TRUE(try_to_read(bytes));
    constexpr std::size_t kEndChunk = 12;  // of PNG: says nothing but that the file ends
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      const bool read = try_to_read(bytes.substr(0, length));
      EXPECT_TRUE(!read || length + kEndChunk >= bytes.size()) << name << " cut to " << length;
    }
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0xFF);
      try_to_read(damaged);  // JPEG has no checksum: other pixels are possible, a crash is not
    }
  }
}

TEST_F(Images, HugeClaimsAreRefusedBeforeMemoryIsAskedFor) {
  std::string bytes = ramp_jpeg(9, 9, 1);
  const std::size_t frame = bytes.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  bytes.replace(frame + 5, 4, "\xFF\xDC\xFF\xDC");  // 65500 x 65500 pixels, 4.3 GB
  expect_error(Errc::bad_data, "at most", [&] { load({write("a.jpg", bytes)}); });
}

TEST_F(Images, AClaimedSizeMustFitTheFile) {
  std::string bytes = ramp_jpeg(9, 9, 1);
  bytes.replace(bytes.find("\xFF\xC0") + 5, 4, std::string("\x40\0\x10\0", 4));  // 67 million
  const MemoryLimit limit(64U << 20U);
  expect_error(Errc::bad_data, "bytes cannot hold", [&] { load({write("a.jpg", bytes)}); });
  std::string plain = ramp_png(9, 9, 1);
  plain.replace(plain.find("IHDR") + 4, 8, std::string("\0\0\x40\0\0\0\x10\0", 8));
  const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(&plain[plain.find("IHDR")]), 17);
  for (std::size_t i = 0; i < 4; ++i) {
    plain[plain.find("IHDR") + 17 + i] = static_cast<char>(sum >> (24 - 8 * i));
  }
  expect_error(Errc::bad_data, "bytes cannot hold", [&] { load({write("a.png", plain)}); });
}

}  // namespace
}  // namespace structhash::test
