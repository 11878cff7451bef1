#include "questions.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "embedded_files.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

constexpr Index kQuestionCount = 3850;
constexpr Index kQuestionColumns = 384;

/// The numbers of a .npy file of version 1: magic and version (8 bytes), length of the header.
Matrix<float> half_matrix(const std::string& npy) {
  constexpr std::size_t kBytes = sizeof(Eigen::half) * kQuestionCount * kQuestionColumns;
  std::size_t first = 10;
  if (npy.size() > first) {
    first += static_cast<unsigned char>(npy[8]) + 256U * static_cast<unsigned char>(npy[9]);
  }
  if (npy.size() != first + kBytes) {
    fail(Errc::internal, "the embedded questions are incomplete");
  }
  Matrix<Eigen::half> halves(kQuestionCount, kQuestionColumns);
  std::memcpy(static_cast<void*>(halves.data()), npy.data() + first, kBytes);
  return halves.cast<float>();
}

/// The text up to `end`, which is taken away with it.
std::string_view cut(std::string_view& text, char end) {
  const std::size_t length = text.find(end);
  if (length == std::string_view::npos) {
    fail(Errc::internal, "the embedded questions are incomplete");
  }
  const std::string_view found = text.substr(0, length);
  text.remove_prefix(length + 1);
  return found;
}

}  // namespace

Questions embedded_questions() {
  Questions questions{
      .data = {.name = "questions", .features = half_matrix(embeddings_npy()), .labels = {}},
      .texts = {}};
  const std::string file = questions_tsv();
  std::string_view rest = file;
  std::vector<std::string> classes;
  for (Index row = 0; row < kQuestionCount; ++row) {
    classes.emplace_back(cut(rest, '\t'));
    questions.texts.emplace_back(cut(rest, '\n'));
  }
  std::vector<std::string>& names = questions.data.labels.names;
  names = classes;
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  for (const std::string& name : classes) {
    questions.data.labels.classes.push_back(
        static_cast<int>(std::ranges::lower_bound(names, name) - names.begin()));
  }
  return questions;
}

}  // namespace structhash::cli
