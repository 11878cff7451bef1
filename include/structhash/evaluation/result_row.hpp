#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "structhash/core/types.hpp"
#include "structhash/evaluation/row_details.hpp"

/// What one method reached on one data set, by one distance: a line of a results file.
namespace structhash {

struct ResultRow {
  std::string dataset;
  std::string method;
  std::string params;  // JSON object
  Index bits = 0;
  std::uint64_t seed = 0;
  std::string distance;  // "weighted", "hamming" or a name of own_distance
  std::vector<std::pair<std::string, double>> measures;
  double train_seconds = 0.0;
  double encode_seconds = 0.0;
  std::string version;      // of the code (core/version.hpp)
  std::string config_hash;  // of everything that decides the row, the version of the code included
};

std::string to_json(const ResultRow& row);  // one line
ResultRow parse_row(std::string_view line);

struct DetailedRow {
  ResultRow row;
  std::optional<RowDetails> details{};
};

}  // namespace structhash
