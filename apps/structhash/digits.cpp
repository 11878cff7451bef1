#include "digits.hpp"

#include <charconv>
#include <string>

#include "embedded_files.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

constexpr Index kRows = 1797;
constexpr Index kPixels = 64;

}  // namespace

Dataset embedded_digits() {
  const std::string text = digits_csv();
  Dataset digits{.name = "digits", .features = Matrix<float>(kRows, kPixels), .labels = {}};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (Index row = 0; row < kRows; ++row) {
    for (Index column = 0; column <= kPixels; ++column) {
      int value = 0;
      const auto [after, error] = std::from_chars(at, end, value);
      if (error != std::errc{} || after == end) {
        fail(Errc::internal, "the embedded digits are incomplete");
      }
      if (column < kPixels) {
        digits.features(row, column) = static_cast<float>(value);
      } else {
        digits.labels.classes.push_back(value);
      }
      at = after + 1;  // a comma or the end of the line
    }
  }
  return digits;
}

}  // namespace structhash::cli
