#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "codes/conventions.hpp"
#include "core/json_fields.hpp"
#include "search/code_index_state.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/error.hpp"

/// Index files (docs/format.md).
namespace structhash {
namespace {

using search::BucketTables;
using search::IndexContent;

constexpr std::string_view kKind = "index";
constexpr std::string_view kWords = "words";
constexpr std::string_view kIds = "ids";
constexpr std::string_view kWeights = "bit-weights";
constexpr std::string_view kStarts = "bucket-starts";
constexpr std::string_view kNumbers = "bucket-rows";

void expect_shape(const Container& file, const Section& section, Index rows, Index columns) {
  if (section.rows != static_cast<std::uint64_t>(rows) ||
      section.columns != static_cast<std::uint64_t>(columns)) {
    file.fail_corrupt(fmt::format("section '{}' is {} x {} instead of {} x {}", section.name,
                                  section.rows, section.columns, rows, columns));
  }
}

/// Runs a check whose errors become errors about the file.
template <typename Check>
void expect_content(const Container& file, Check check) {
  try {
    check();
  } catch (const Error& error) {
    file.fail_corrupt(error.what());
  }
}

/// The header fields that code files and index files share.
IndexSettings read_code_settings(const Container& file, const JsonFields& header) {
  header.expect_text("bit_order", kBitOrder);
  header.expect_text("threshold", kThresholdRule);
  IndexSettings settings{.bits = header.count("bits"),
                         .bit_weights = {},
                         .model = header.get_or<std::string>("model", "")};
  if (settings.bits == 0) {
    file.fail_corrupt("its codes have no bits");
  }
  return settings;
}

IndexSettings read_settings(const Container& file, const JsonFields& header) {
  IndexSettings settings = read_code_settings(file, header);
  const std::string distance = header.text("distance");
  if (distance == "weighted") {
    expect_shape(file, file.section(kWeights, ElementType::f32), settings.bits, 1);
    const auto weights = file.array<float>(kWeights);
    settings.bit_weights.assign(weights.begin(), weights.end());
    expect_content(file, [&] { const WeightTable checked(settings.bit_weights); });
  } else {
    header.expect_text("distance", "hamming");
  }
  return settings;
}

IndexContent read_codes(const std::shared_ptr<const Container>& file, const JsonFields& header,
                        const IndexSettings& settings) {
  IndexContent content;
  content.file = file;
  content.rows = header.count("rows");
  const Index words_per_code = settings.bits / 64 + (settings.bits % 64 != 0 ? 1 : 0);
  expect_shape(*file, file->section(kWords, ElementType::u64), content.rows, words_per_code);
  content.words = file->array<std::uint64_t>(kWords);
  return content;
}

IndexContent read_content(const std::shared_ptr<const Container>& file, const JsonFields& header,
                          const IndexSettings& settings) {
  IndexContent content = read_codes(file, header, settings);
  const std::string ids = header.text("ids");
  content.numbered = ids == "numbers";
  if (!content.numbered) {
    header.expect_text("ids", "own");
    expect_shape(*file, file->section(kIds, ElementType::i64), content.rows, 1);
    content.ids = file->array<std::int64_t>(kIds);
  }
  return content;
}

std::shared_ptr<const BucketTables> read_tables(const Container& file, const JsonFields& header,
                                                const IndexContent& content, Index bits) {
  const Index substrings = header.count("substrings");
  if (substrings == 0) {
    return nullptr;
  }
  std::shared_ptr<const BucketTables> tables;
  const auto starts = file.array<std::uint32_t>(kStarts);
  const auto numbers = file.array<std::uint32_t>(kNumbers);
  expect_content(file, [&] {
    tables = std::make_shared<const BucketTables>(
        BucketTables::view(content.rows, bits, substrings, starts, numbers));
  });
  return tables;
}

/// Consistency of the arrays, which checksums do not show.  Arrays that were not compared with
/// their checksums are not read here either.
void check_arrays(const Container& file, const IndexContent& content, const BucketTables* tables,
                  Index bits, Verify verify) {
  const auto read = [&](std::size_t size) {
    return verify == Verify::everything || size <= kLargeSection;
  };
  if (read(content.words.size_bytes())) {
    expect_content(file, [&] { require_zero_padding(content.words, bits); });
  }
  if (read(content.ids.size_bytes())) {
    const auto wrong = std::ranges::adjacent_find(content.ids, std::ranges::greater_equal{});
    if (wrong != content.ids.end() || (!content.ids.empty() && content.ids.front() < 0)) {
      file.fail_corrupt("its ids are not whole numbers from 0 in ascending order");
    }
  }
  if (tables != nullptr && read(tables->bytes())) {
    expect_content(file, [&] { tables->verify(); });
  }
}

}  // namespace

CodeIndex CodeIndex::load(const std::string& path, Verify verify) {
  const auto file = std::make_shared<const Container>(path, kKind, verify);
  const JsonFields header(*file);
  auto state = std::make_unique<State>(read_settings(*file, header));
  IndexContent content = read_content(file, header, state->settings);
  auto tables = read_tables(*file, header, content, state->settings.bits);
  check_arrays(*file, content, tables.get(), state->settings.bits, verify);
  state->replace(std::move(content));
  if (tables != nullptr) {
    state->use_tables(std::move(tables));
  }
  return CodeIndex(std::move(state));
}

CodeIndex CodeIndex::of_code_file(const std::string& path, std::vector<float> bit_weights,
                                  Verify verify) {
  const auto file = std::make_shared<const Container>(path, "codes", verify);
  const JsonFields header(*file);
  IndexSettings settings = read_code_settings(*file, header);
  IndexContent content = read_codes(file, header, settings);
  check_arrays(*file, content, nullptr, settings.bits, verify);
  settings.bit_weights = std::move(bit_weights);
  auto state = std::make_unique<State>(std::move(settings));
  state->replace(std::move(content));
  return CodeIndex(std::move(state));
}

void CodeIndex::save(const std::string& path) const {
  const auto reading = state_->guard.read();
  const IndexContent& content = state_->content;
  const IndexSettings& settings = state_->settings;
  const BucketTables* tables = state_->tables.get();
  ContainerWriter writer(path, kKind);
  writer.add(kWords, content.words, static_cast<std::size_t>(state_->codes().words_per_code()));
  if (!content.numbered) {
    writer.add(kIds, content.ids);
  }
  if (!settings.bit_weights.empty()) {
    writer.add(kWeights, std::span<const float>(settings.bit_weights));
  }
  if (tables != nullptr) {
    writer.add(kStarts, tables->starts());
    writer.add(kNumbers, tables->row_numbers());
  }
  nlohmann::json header{{"bits", settings.bits},
                        {"rows", content.rows},
                        {"bit_order", kBitOrder},
                        {"threshold", kThresholdRule},
                        {"distance", settings.bit_weights.empty() ? "hamming" : "weighted"},
                        {"ids", content.numbered ? "numbers" : "own"},
                        {"substrings", tables != nullptr ? tables->substrings().size() : 0}};
  if (!settings.model.empty()) {
    header["model"] = settings.model;
  }
  writer.commit(header.dump());
}

}  // namespace structhash
