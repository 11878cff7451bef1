#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "search/check_input.hpp"
#include "search/flat_scan.hpp"
#include "search/group_search.hpp"
#include "search/weighted_scanner.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

/// A real-valued query is a code with bit weights of its own.
struct SignsAndWeights {
  CodeMatrix code;
  std::vector<float> weights;
};

SignsAndWeights split_values(const MatrixView& values, Index row,
                             std::span<const float> bit_weights) {
  const Index bits = values.cols();
  SignsAndWeights query{.code = CodeMatrix(1, bits),
                        .weights = std::vector<float>(static_cast<std::size_t>(bits))};
  for (Index bit = 0; bit < bits; ++bit) {
    const float value = values(row, bit);
    if (!std::isfinite(value)) {
      fail(Errc::usage, fmt::format("asymmetric search: value {} of query {} is {}; values must be "
                                    "finite",
                                    bit + 1, row + 1, value));
    }
    const auto i = static_cast<std::size_t>(bit);
    query.code.set(0, bit, value > 0.0F);
    query.weights[i] = std::abs(value) * (bit_weights.empty() ? 1.0F : bit_weights[i]);
  }
  return query;
}

}  // namespace

Neighbours nearest_asymmetric(const CodeSpan& database, const MatrixView& values,
                              std::span<const float> bit_weights, Index k,
                              const SearchOptions& options) {
  require(values.rows() == 0 || values.cols() == database.bits,
          fmt::format("asymmetric search: the queries have {} values, the codes {} bits",
                      values.cols(), database.bits));
  require(bit_weights.empty() || std::ssize(bit_weights) == database.bits,
          fmt::format("asymmetric search: {} bit weights given for codes of {} bits; one per bit "
                      "needed, or none",
                      bit_weights.size(), database.bits));
  require(std::ranges::all_of(bit_weights, [](float w) { return std::isfinite(w) && w >= 0.0F; }),
          "asymmetric search: bit weights must be finite and at least 0");
  scan::check_database(database);
  scan::check_options(database, options);
  scan::check_k(k);
  Neighbours found(static_cast<std::size_t>(values.rows()));
  if (database.rows == 0) {
    return found;
  }
  const scan::RowSample sample(database);
  const bool few = values.rows() < options.threads;
  const int parts = few ? scan::part_count(database.rows, options.threads) : 1;
  const auto search = [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const SignsAndWeights query = split_values(values, row, bit_weights);
      const scan::WeightSums weights(query.weights);
      const scan::ScannerFactory make_scanner = [&](const scan::QueryCodes& codes) {
        return scan::make_weighted_scanner(codes, weights);
      };
      const scan::GroupSearch group(database, sample, make_scanner, options.allowed, parts);
      found[static_cast<std::size_t>(row)] = std::move(
          group.nearest({query.code.words().data()}, static_cast<std::size_t>(k)).front());
    }
  };
  if (few) {
    search(0, values.rows());
  } else {
    parallel_for(values.rows(), options.threads, 1, search);
  }
  return found;
}

}  // namespace structhash
