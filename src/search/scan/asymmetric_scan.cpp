#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "search/checks.hpp"
#include "search/scan/flat_scan.hpp"
#include "search/scan/group_search.hpp"
#include "search/scan/weighted_scanner.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash::search {

void check_values(const CodeSpan& database, const MatrixView& values,
                  std::span<const float> bit_weights) {
  require(values.rows() == 0 || values.cols() == database.bits,
          fmt::format("the queries have {} values, the codes {} bits; one value per bit is needed",
                      values.cols(), database.bits));
  if (!bit_weights.empty()) {
    check_weight_count(database, bit_weights);
  }
  require(std::ranges::all_of(bit_weights, [](float w) { return std::isfinite(w) && w >= 0.0F; }),
          "bit weights must be finite and 0 or more");
}

SignsAndWeights split_values(const MatrixView& values, Index row,
                             std::span<const float> bit_weights) {
  const Index bits = values.cols();
  SignsAndWeights query{.code = CodeMatrix(1, bits),
                        .weights = std::vector<float>(static_cast<std::size_t>(bits))};
  for (Index bit = 0; bit < bits; ++bit) {
    const float value = values(row, bit);
    if (!std::isfinite(value)) {
      fail(Errc::usage, fmt::format("query {}, value {}: found {}, values must be finite", row + 1,
                                    bit + 1, value));
    }
    const auto i = static_cast<std::size_t>(bit);
    query.code.set(0, bit, value > 0.0F);
    query.weights[i] = std::abs(value) * (bit_weights.empty() ? 1.0F : bit_weights[i]);
  }
  return query;
}

Neighbours nearest_asymmetric(const CodeSpan& database, const MatrixView& values,
                              std::span<const float> bit_weights, Index k,
                              const SearchOptions& options) {
  check_values(database, values, bit_weights);
  check_codes(database);
  check_options(database, options);
  check_k(k);
  Neighbours found(static_cast<std::size_t>(values.rows()));
  if (database.rows == 0) {
    return found;
  }
  const RowSample sample(database);
  const bool few = values.rows() < options.threads;
  const int parts = few ? part_count(database.rows, options.threads) : 1;
  const auto search = [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const SignsAndWeights query = split_values(values, row, bit_weights);
      const WeightSums weights(query.weights);
      const ScannerFactory make_scanner = [&](const QueryCodes& codes) {
        return make_weighted_scanner(codes, weights);
      };
      const GroupSearch group(database, sample, make_scanner, options.allowed, parts);
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

}  // namespace structhash::search
