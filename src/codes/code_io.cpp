#include "structhash/codes/code_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "codes/conventions.hpp"
#include "core/json_fields.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr std::string_view kKind = "codes";
constexpr std::string_view kWords = "words";

Index words_per_code(Index bits) {
  require(bits >= 1, "a code needs at least one bit");
  return bits / 64 + (bits % 64 != 0 ? 1 : 0);
}

}  // namespace

CodeFileWriter::CodeFileWriter(std::string path, Index bits, std::string model)
    : writer_(std::move(path), kKind), bits_(bits), model_(std::move(model)) {
  const auto columns = static_cast<std::size_t>(words_per_code(bits));
  writer_.begin_section(kWords, ElementType::u64, columns);
}

void CodeFileWriter::append(const CodeMatrix& codes) {
  require(
      codes.bits() == bits_,
      fmt::format("the file holds codes of {1} bits, got codes of {0} bits", codes.bits(), bits_));
  require_zero_padding(codes.words(), bits_);
  writer_.append(std::as_bytes(codes.words()));
  rows_ += codes.rows();
}

void CodeFileWriter::finish() {
  writer_.end_section();
  nlohmann::json header{
      {"bits", bits_}, {"rows", rows_}, {"bit_order", kBitOrder}, {"threshold", kThresholdRule}};
  if (!model_.empty()) {
    header["model"] = model_;
  }
  writer_.commit(header.dump());
}

void save_codes(const CodeMatrix& codes, const std::string& path, const std::string& model) {
  CodeFileWriter writer(path, codes.bits(), model);
  writer.append(codes);
  writer.finish();
}

MappedCodes::MappedCodes(const std::string& path)
    : file_(path, kKind), words_(file_.array<std::uint64_t>(kWords)) {
  const JsonFields header(file_);
  header.expect_text("bit_order", kBitOrder);
  header.expect_text("threshold", kThresholdRule);
  rows_ = header.count("rows");
  bits_ = header.count("bits");
  model_ = header.get_or<std::string>("model", "");
  const Section& section = file_.section(kWords, ElementType::u64);
  if (bits_ == 0 ||
      static_cast<std::uint64_t>(structhash::words_per_code(bits_)) != section.columns ||
      static_cast<std::uint64_t>(rows_) != section.rows) {
    file_.fail_corrupt(
        fmt::format("its header claims {} codes of {} bits, but it holds {} of {} words", rows_,
                    bits_, section.rows, section.columns));
  }
  try {
    require_zero_padding(words_, bits_);
  } catch (const Error& error) {
    file_.fail_corrupt(error.what());
  }
}

CodeMatrix load_codes(const std::string& path) {
  const MappedCodes mapped(path);  // has checked the padding
  CodeMatrix codes(mapped.rows(), mapped.bits());
  std::ranges::copy(mapped.words(), codes.mutable_words().begin());
  return codes;
}

}  // namespace structhash
