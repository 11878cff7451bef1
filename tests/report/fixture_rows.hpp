#pragma once

#include <string>
#include <vector>

#include "report/report_data.hpp"

/// Small rows whose summary can be worked out by hand.
namespace structhash::test {

inline DetailedRow fixture_row(const std::string& method, const std::string& params, Index bits,
                               std::uint64_t seed, const std::string& distance, double map) {
  ResultRow row;
  row.dataset = "digits";
  row.method = method;
  row.params = params;
  row.bits = bits;
  row.seed = seed;
  row.distance = distance;
  row.measures = {{"map", map}};
  row.train_seconds = 2.0;
  row.version = "0.1.0";
  row.config_hash = method + std::to_string(params.size()) + "-" + std::to_string(bits) + "-" +
                    std::to_string(seed);
  return {.row = row};
}

/// Four queries whose values are the mean of the row, moved a little up and down.
inline DetailedRow with_details(DetailedRow entry) {
  const auto mean = static_cast<float>(entry.row.measures[0].second);
  entry.details = RowDetails{
      .recall = {0.5, 1.0},
      .precision = {0.9, 0.4},
      .ranks = {1, 10},
      .precision_at_rank = {1.0, 0.8},
      .objective = {2.0, 1.0},
      .bit_weights =
          entry.row.distance == "weighted" ? std::vector{1.0, 0.5} : std::vector<double>{},
      .strips = {{.query_image = "data:query",
                  .query_label = "seven",
                  .items = {{.image = "data:a", .relevant = true, .label = "seven"},
                            {.image = "data:b", .relevant = false, .label = "</script><b>one"}}}},
      .per_query = {{"map", {mean - 0.01F, mean + 0.01F, mean - 0.02F, mean + 0.02F}}}};
  return entry;
}

/// StructHash by both distances, two kinds of LSH, one seed missing.
inline std::vector<DetailedRow> fixture_rows() {
  return {with_details(fixture_row("lsh", R"({"a":1})", 32, 1, "hamming", 0.5)),
          with_details(fixture_row("lsh", R"({"a":1})", 32, 2, "hamming", 0.7)),
          fixture_row("lsh", R"({"a":2,"kind":"other"})", 32, 1, "hamming", 0.4),
          with_details(fixture_row("structhash", "{}", 32, 2, "weighted", 0.8)),
          with_details(fixture_row("structhash", "{}", 32, 1, "weighted", 0.9)),
          fixture_row("structhash", "{}", 32, 1, "hamming", 0.8),
          fixture_row("structhash", "{}", 16, 1, "weighted", 0.6)};
}

}  // namespace structhash::test
