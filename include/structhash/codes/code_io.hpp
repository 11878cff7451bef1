#pragma once

#include <string>

#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/container.hpp"

/// Code files (docs/format.md): they store bit order, number of bits and threshold rule, and are
/// mapped into memory without conversion.
namespace structhash {

/// Writes blocks of codes to a new file; the number of rows need not be known in advance.
/// Nothing appears under `path` before `finish`.
class CodeFileWriter {
 public:
  /// `model`: identity() of the model file the codes come from; empty if not known.
  CodeFileWriter(std::string path, Index bits, std::string model = "");

  void append(const CodeMatrix& codes);
  void finish();
  Index rows() const { return rows_; }

 private:
  ContainerWriter writer_;
  Index bits_;
  Index rows_ = 0;
  std::string model_;
};

void save_codes(const CodeMatrix& codes, const std::string& path, const std::string& model = "");

/// The codes of a file, inside its mapping: checked once when opened, never copied.
class MappedCodes {
 public:
  explicit MappedCodes(const std::string& path);

  Index rows() const { return rows_; }
  Index bits() const { return bits_; }
  Index words_per_code() const { return (bits_ + 63) / 64; }
  std::span<const std::uint64_t> words() const { return words_; }
  CodeView row(Index i) const {
    return {words_.data() + i * words_per_code(), static_cast<std::size_t>(words_per_code())};
  }
  /// Identity of the model file the codes come from; empty if not known.
  const std::string& model() const { return model_; }

 private:
  Container file_;
  Index rows_ = 0;
  Index bits_ = 0;
  std::span<const std::uint64_t> words_;
  std::string model_;
};

CodeMatrix load_codes(const std::string& path);

}  // namespace structhash
