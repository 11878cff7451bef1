#include "structhash/core/container.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "support/damage.hpp"
#include "support/expect_error.hpp"
#include "support/forge.hpp"
#include "support/temporary_folder.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

const std::vector<float> kFloats{1.5F, -2.0F, 0.25F, 4.0F, 5.0F, 6.0F};
const std::vector<std::uint8_t> kBytes{7, 8, 9};

/// Two sections with padding behind both, and one without elements.
void write_sample(const std::string& path) {
  ContainerWriter writer(path, "sample");
  writer.add("floats", std::span(kFloats), 3);
  writer.add("none", std::span<const double>{});
  writer.add("bytes", std::span(kBytes));
  writer.commit(R"({"answer":42})");
}

std::string sample_bytes() {
  const TemporaryFolder folder;
  write_sample(folder.file("sample"));
  return read_bytes(folder.file("sample"));
}

/// Expects that a file of these bytes is refused with these words.
void expect_refused(const std::string& bytes, const std::string& words) {
  const TemporaryFolder folder;
  write_bytes(folder.file("forged"), bytes);
  expect_error(Errc::corrupt_file, words, [&] { Container{folder.file("forged")}; });
}

TEST(Container, PartsHaveNamesOfTheirOwn) {
  const TemporaryFolder folder;
  ContainerWriter writer(folder.file("parts"), "sample");
  writer.add("bytes", std::span(kBytes));
  writer.set_prefix("second-");
  writer.add("bytes", std::span(kBytes).first(1));
  writer.add("floats", std::span(kFloats));
  expect_error(Errc::usage, "two sections are named 'second-floats'",
               [&] { writer.add("floats", std::span(kFloats)); });
  writer.commit("{}");
  const Container file(folder.file("parts"));
  EXPECT_EQ(file.section("second-floats", ElementType::f32).rows, 6U);
  EXPECT_EQ(file.section("bytes", ElementType::u8).rows, 3U);
  const Container part = file.part("second-");
  ASSERT_EQ(part.sections().size(), 2U);
  EXPECT_EQ(part.array<std::uint8_t>("bytes").size(), 1U);
  EXPECT_EQ(part.array<float>("floats")[5], 6.0F);
  EXPECT_TRUE(file.part("third-").sections().empty());
}

TEST(Container, ReadsWhatWasWritten) {
  const TemporaryFolder folder;
  write_sample(folder.file("sample"));
  const Container file(folder.file("sample"), "sample");
  EXPECT_EQ(file.kind(), "sample");
  EXPECT_EQ(file.minor_version(), kFormatMinor);
  EXPECT_EQ(file.header(), R"({"answer":42})");
  ASSERT_EQ(file.sections().size(), 3U);
  const Section& floats = file.section("floats", ElementType::f32);
  EXPECT_EQ(floats.rows, 2U);
  EXPECT_EQ(floats.columns, 3U);
  const auto values = file.array<float>("floats");
  EXPECT_EQ(std::vector<float>(values.begin(), values.end()), kFloats);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % 64, 0U);
  EXPECT_EQ(file.array<double>("none").size(), 0U);
  const auto bytes = file.array<std::uint8_t>("bytes");
  EXPECT_EQ(std::vector<std::uint8_t>(bytes.begin(), bytes.end()), kBytes);
}

TEST(Container, KindIsReadFromTheHeadAlone) {
  const TemporaryFolder folder;
  std::string bytes = sample_bytes();
  bytes.back() ^= 1;  // damages the directory, which file_kind does not read
  write_bytes(folder.file("sample"), bytes);
  EXPECT_EQ(file_kind(folder.file("sample")), "sample");
  EXPECT_THROW(Container(folder.file("sample")), Error);
}

TEST(Container, HasTheDocumentedLayout) {
  // docs/format.md: 64 bytes head, 24 of floats padded to 64, 3 bytes padded to 64, then 16 bytes
  // and three entries of 64 bytes, and 13 bytes of JSON.
  const std::string bytes = sample_bytes();
  ASSERT_EQ(bytes.size(), 64U + 64U + 64U + 16U + 3U * 64U + 13U);
  EXPECT_EQ(bytes.substr(0, 8), "\x89SHF\r\n\x1A\n");
  EXPECT_EQ(bytes.substr(8, 8), std::string("\1\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(bytes.substr(16, 16), "sample" + std::string(10, '\0'));
  EXPECT_EQ(bytes.substr(64, 4), std::string("\0\0\xC0\x3F", 4));  // 1.5F
  EXPECT_EQ(bytes.substr(128, 3), "\7\x08\x09");
  EXPECT_EQ(bytes.substr(192, 4), std::string("\3\0\0\0", 4));
  EXPECT_EQ(bytes.substr(208, 24), "floats" + std::string(18, '\0'));
  EXPECT_EQ(bytes.substr(bytes.size() - 13), R"({"answer":42})");
}

TEST(Container, SameContentGivesSameBytesHoweverItArrives) {
  const TemporaryFolder folder;
  ContainerWriter writer(folder.file("pieces"), "sample");
  writer.begin_section("floats", ElementType::f32, 3);
  for (const float& value : kFloats) {
    writer.append(std::as_bytes(std::span(&value, 1)));
  }
  writer.end_section();
  writer.begin_section("none", ElementType::f64, 1);
  writer.end_section();
  ContainerWriter moved = std::move(writer);
  moved.add("bytes", std::span(kBytes));
  moved.commit(R"({"answer":42})");
  EXPECT_EQ(read_bytes(folder.file("pieces")), sample_bytes());
}

TEST(Container, IdentityDependsOnTheContentAlone) {
  const TemporaryFolder folder;
  const auto identity_of = [&](const std::string& name, float value, const char* header) {
    ContainerWriter writer(folder.file(name), "sample");
    writer.add("a", std::span<const float>(&value, 1));
    writer.commit(header);
    EXPECT_EQ(Container(folder.file(name)).identity(), describe_file(folder.file(name)).identity);
    return Container(folder.file(name)).identity();
  };
  const std::string identity = identity_of("a", 1.0F, "{}");
  EXPECT_EQ(identity.size(), 16U);
  EXPECT_EQ(identity_of("b", 1.0F, "{}"), identity);
  EXPECT_NE(identity_of("c", 2.0F, "{}"), identity);
  EXPECT_NE(identity_of("d", 1.0F, "{ }"), identity);
}

TEST(Container, EveryDamageIsRefused) {
  test::expect_every_damage_refused(sample_bytes(),
                                    [](const std::string& path) { Container{path}; });
}

TEST(Container, ReadersOfTheContentGetPreciseErrors) {
  const TemporaryFolder folder;
  const std::string path = folder.file("sample");
  write_sample(path);
  const Container file(path);
  expect_error(Errc::corrupt_file, "section 'absent' is missing",
               [&] { file.array<float>("absent"); });
  expect_error(Errc::corrupt_file, "section 'floats' holds f32 elements, not u64",
               [&] { file.array<std::uint64_t>("floats"); });
  expect_error(Errc::corrupt_file, path + " is a file of kind 'sample', not 'model'",
               [&] { Container(path, "model"); });
  expect_error(Errc::corrupt_file, path + " is damaged: it is green",
               [&] { file.fail_corrupt("it is green"); });
}

TEST(Container, OtherFilesAreNotOurs) {
  expect_refused("", "is not a StructHash file");
  expect_refused("\x93NUMPY", "is not a StructHash file");
  expect_refused(sample_bytes().substr(0, 40), "ends inside its head");
  const TemporaryFolder folder;
  write_bytes(folder.file("other"), "\x93NUMPY");
  expect_error(Errc::corrupt_file, "is not a StructHash file",
               [&] { file_kind(folder.file("other")); });
  expect_error(Errc::io, "No such file", [] { Container{"/nonexistent/file"}; });
}

TEST(Container, NewerMajorVersionIsRefusedByName) {
  const auto with_version = [](std::uint16_t major, std::uint16_t minor) {
    return test::forge_head(sample_bytes(), [&](layout::Head& head) {
      head.version_major = major;
      head.version_minor = minor;
    });
  };
  expect_refused(with_version(2, 7), "has format version 2.7");
  expect_refused(with_version(0, 0), "has format version 0.0");
  expect_refused(test::forge_head(sample_bytes(), [](layout::Head& head) { head.flags = 1; }),
                 "flags 0x1");
  const TemporaryFolder folder;  // a newer minor version only adds things
  write_bytes(folder.file("newer"), with_version(kFormatMajor, 9));
  EXPECT_EQ(Container(folder.file("newer")).minor_version(), 9);
}

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

TEST(Container, LyingHeadIsRefused) {
  const std::string good = sample_bytes();
  for (const std::uint64_t lie : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{65}, kMax,
                                  kMax - 1, kMax - 63, std::uint64_t{good.size()} + 1}) {
    SCOPED_TRACE(lie);
    expect_refused(test::forge_head(good, [&](layout::Head& head) { head.file_size = lie; }),
                   "bytes instead of");
    expect_refused(test::forge_head(good, [&](layout::Head& head) { head.directory_offset = lie; }),
                   "offset of its directory is invalid");
  }
  expect_refused(test::forge_head(good, [](layout::Head& head) { head.kind[8] = 'x'; }),
                 "kind is not a name");
  expect_refused(test::forge_head(good, [](layout::Head& head) { head.kind = {}; }),
                 "kind is not a name");
}

TEST(Container, LyingDirectoryIsRefused) {
  const std::string good = sample_bytes();
  using Directory = layout::DirectoryHead;
  for (const std::uint64_t lie : {std::uint64_t{0}, std::uint64_t{1}, kMax, kMax - 1, kMax - 191}) {
    SCOPED_TRACE(lie);
    expect_refused(test::forge_directory(good, [&](Directory& head) { head.header_size = lie; }),
                   "do not add up");
    const auto count = static_cast<std::uint32_t>(lie);
    expect_refused(
        test::forge_directory(good, [&](Directory& head) { head.section_count = count; }),
        "do not add up");
  }
  expect_refused(test::forge_directory(good, [](Directory& head) { head.reserved = 1; }),
                 "do not add up");
  // One entry fewer, and its bytes given to the header: a section nobody accounts for.
  expect_refused(test::forge_directory(good,
                                       [](Directory& head) {
                                         head.section_count -= 1;
                                         head.header_size += sizeof(layout::Entry);
                                       }),
                 "belong to no section");
}

TEST(Container, LyingEntriesAreRefused) {
  const std::string good = sample_bytes();
  using layout::Entry;
  for (const std::uint64_t lie :
       {std::uint64_t{1} << 61U, std::uint64_t{1} << 62U, kMax / 2, kMax - 1, kMax}) {
    SCOPED_TRACE(lie);
    const auto forged = [&](std::uint64_t Entry::* field) {
      return test::forge_entry(good, 0, [&](Entry& entry) { entry.*field = lie; });
    };
    expect_refused(forged(&Entry::rows), "does not fit");
    expect_refused(forged(&Entry::columns), "does not fit");
    expect_refused(forged(&Entry::offset), "has a wrong offset");
  }
  for (const std::uint64_t offset : {0U, 1U, 128U}) {
    expect_refused(test::forge_entry(good, 0, [&](Entry& entry) { entry.offset = offset; }),
                   "has a wrong offset");
  }
  expect_refused(test::forge_entry(good, 0, [](Entry& entry) { entry.columns = 0; }),
                 "does not fit");
  for (const std::uint64_t columns : {std::uint64_t{1} << 63U, kMax - 1, kMax}) {
    expect_refused(test::forge_entry(good, 1, [&](Entry& entry) { entry.columns = columns; }),
                   "does not fit");  // without rows any width would fit, and be negative
  }
  expect_refused(test::forge_entry(good, 0, [](Entry& entry) { entry.rows = 0; }),
                 "has a wrong offset");  // of the section after it
  expect_refused(test::forge_entry(good, 0, [](Entry& entry) { entry.rows = 1; }),
                 "'floats' does not match its checksum");
  expect_refused(test::forge_entry(good, 2, [](Entry& entry) { entry.rows = 0; }),
                 "belong to no section");
  expect_refused(test::forge_entry(good, 2, [](Entry& entry) { entry.rows = 65; }), "does not fit");
  expect_refused(test::forge_entry(good, 0, [](Entry& entry) { entry.type = {'f', '9'}; }),
                 "unknown element type");
  expect_refused(test::forge_entry(good, 0, [](Entry& entry) { entry.name[0] = '/'; }),
                 "name of a section");
  expect_refused(
      test::forge_entry(good, 2, [](Entry& entry) { entry.name = layout::padded<24>("floats"); }),
      "two sections are named 'floats'");
}

TEST(Container, HeaderMustBeAJsonObject) {
  for (const char* header : {"", "[1]", "3", "{", "{} {}", "{\"a\":nan}"}) {
    SCOPED_TRACE(header);
    expect_refused(test::forge_header(sample_bytes(), header), "not a JSON object");
    const TemporaryFolder folder;
    ContainerWriter writer(folder.file("x"), "sample");
    expect_error(Errc::usage, "JSON object", [&] { writer.commit(header); });
  }
  const std::string deep(100'000, '[');  // must not exhaust the stack
  expect_refused(test::forge_header(sample_bytes(), deep), "not a JSON object");
}

TEST(ContainerWriter, RefusesMisuse) {
  const TemporaryFolder folder;
  const std::string path = folder.file("x");
  for (const char* name : {"", "Model", "a b", "a/b", "sixteen-letters-"}) {
    expect_error(Errc::usage, "cannot be the kind", [&] { ContainerWriter(path, name); });
  }
  ContainerWriter writer(path, "sample");
  const auto begin = [&](const char* name) { writer.begin_section(name, ElementType::f32, 2); };
  expect_error(Errc::usage, "name of a section", [&] { begin("twenty-four-letters-long"); });
  expect_error(Errc::usage, "column", [&] { writer.begin_section("a", ElementType::f32, 0); });
  expect_error(Errc::usage, "outside a section", [&] { writer.append({}); });
  expect_error(Errc::usage, "end_section() without", [&] { writer.end_section(); });
  begin("a");
  expect_error(Errc::usage, "inside another", [&] { begin("b"); });
  expect_error(Errc::usage, "not ended", [&] { writer.commit("{}"); });
  writer.append(std::as_bytes(std::span(kFloats).first(3)));
  expect_error(Errc::usage, "whole row of 8 bytes", [&] { writer.end_section(); });
  writer.append(std::as_bytes(std::span(kFloats).first(1)));
  writer.end_section();
  expect_error(Errc::usage, "two sections are named 'a'", [&] { begin("a"); });
  EXPECT_EQ(folder.entries(), 1);  // the temporary file
  writer.commit("{}");
  EXPECT_EQ(Container(path).array<float>("a").size(), 4U);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(ContainerWriter, LimitsTheNumberOfSections) {
  const TemporaryFolder folder;
  ContainerWriter writer(folder.file("x"), "sample");
  for (std::uint32_t i = 0; i < layout::kMaxSections; ++i) {
    writer.add(std::to_string(i), std::span(kBytes));
  }
  expect_error(Errc::usage, "too many sections", [&] { writer.add("s", std::span(kBytes)); });
  writer.commit("{}");
  EXPECT_EQ(Container(folder.file("x")).sections().size(), layout::kMaxSections);
}

TEST(DescribeFile, TellsWhatAFileHolds) {
  const TemporaryFolder folder;
  write_sample(folder.file("sample"));
  const FileDescription description = describe_file(folder.file("sample"));
  EXPECT_EQ(description.kind, "sample");
  EXPECT_EQ(description.version_major, kFormatMajor);
  EXPECT_EQ(description.version_minor, kFormatMinor);
  EXPECT_EQ(description.file_size, read_bytes(folder.file("sample")).size());
  EXPECT_EQ(description.header, R"({"answer":42})");
  EXPECT_TRUE(description.intact);
  ASSERT_EQ(description.sections.size(), 3U);
  EXPECT_EQ(description.sections[0].section.name, "floats");
  EXPECT_EQ(description.sections[0].section.bytes(), 24U);
  EXPECT_EQ(element_name(description.sections[0].section.type), "f32");
}

TEST(DescribeFile, MarksDamagedSections) {
  const TemporaryFolder folder;
  std::string bytes = sample_bytes();
  bytes[128] ^= 1;
  write_bytes(folder.file("x"), bytes);
  FileDescription description = describe_file(folder.file("x"));
  EXPECT_FALSE(description.intact);
  EXPECT_TRUE(description.sections[0].intact);
  EXPECT_FALSE(description.sections[2].intact);
  bytes[128] ^= 1;
  bytes[127] = 1;  // padding of the first section
  write_bytes(folder.file("x"), bytes);
  description = describe_file(folder.file("x"));
  EXPECT_FALSE(description.intact);
  EXPECT_TRUE(description.sections[0].intact);
}

TEST(Container, LargeSectionsCanBeLeftUnread) {
  const TemporaryFolder folder;
  const std::string path = folder.file("large");
  ContainerWriter writer(path, "test");
  writer.add("small", std::span<const std::uint8_t>(std::vector<std::uint8_t>(kLargeSection)));
  writer.add("large", std::span<const std::uint8_t>(std::vector<std::uint8_t>(kLargeSection + 1)));
  writer.commit("{}");
  const std::string good = read_bytes(path);
  const auto damaged_at = [&](std::size_t at) {
    std::string bytes = good;
    bytes[at] ^= 1;
    write_bytes(path, bytes);
  };
  damaged_at(64 + kLargeSection);  // in the large section
  EXPECT_NO_THROW(Container(path, Verify::all_but_large));
  expect_error(Errc::corrupt_file, "section 'large'", [&] { Container(path, Verify::everything); });
  damaged_at(64 + kLargeSection - 1);  // at the end of the small one
  expect_error(Errc::corrupt_file, "section 'small'",
               [&] { Container(path, Verify::all_but_large); });
  damaged_at(64 + 2 * kLargeSection + 5);  // between the large one and the directory
  expect_error(Errc::corrupt_file, "not zero", [&] { Container(path, Verify::all_but_large); });
  damaged_at(good.size() - 1);  // in the header
  expect_error(Errc::corrupt_file, "directory", [&] { Container(path, Verify::all_but_large); });
}

}  // namespace
}  // namespace structhash
