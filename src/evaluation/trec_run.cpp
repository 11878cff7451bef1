#include "evaluation/trec_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "evaluation/distance_rows.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

/// Distances of one query to all items, as floats either way: whole numbers up to 2^24 are exact.
void measure(const CodeMatrix& database, CodeView query, const WeightTable* weights,
             std::vector<std::uint16_t>& bit_counts, std::vector<float>& distances) {
  if (weights != nullptr) {
    weighted_row(database, query, *weights, distances);
    return;
  }
  bit_counts.resize(distances.size());
  hamming_row(database, query, bit_counts);
  std::ranges::transform(bit_counts, distances.begin(),
                         [](std::uint16_t bits) { return static_cast<float>(bits); });
}

/// The nearest items as lines of text.
std::string lines_of(const std::vector<float>& distances, Index depth, const std::string& query,
                     const RowIds& item_ids, const std::string& tag) {
  std::vector<std::pair<float, Index>> order;
  order.reserve(distances.size());
  for (const float distance : distances) {
    order.emplace_back(distance, std::ssize(order));
  }
  const auto end = order.begin() + std::min(depth, std::ssize(order));
  std::partial_sort(order.begin(), end, order.end());
  std::string lines;
  Index rank = 0;
  for (auto item = order.begin(); item != end; ++item) {
    fmt::format_to(std::back_inserter(lines), "{} Q0 {} {} {} {}\n", query,
                   item_ids.id(item->second), ++rank, 0.0F - item->first, tag);
  }
  return lines;
}

}  // namespace

void write_trec_run(std::ostream& out, const CodeMatrix& database, const CodeMatrix& queries,
                    std::span<const float> bit_weights, const RowIds& query_ids,
                    const RowIds& item_ids, const TrecRunOptions& options) {
  constexpr Index kQueriesPerTask = 16;
  constexpr Index kQueriesPerWrite = 512;
  require(options.depth >= 1, "a run needs at least one item per query");
  require(!options.tag.empty() && options.tag.find_first_of(" \t\r\n") == std::string::npos,
          "the tag of a run must be one word");
  require(database.bits() == queries.bits() && database.bits() <= kMaxCodeBits,
          fmt::format("database codes of {} bits and query codes of {} bits cannot be ranked",
                      database.bits(), queries.bits()));
  require(query_ids.rows() == queries.rows() && item_ids.rows() == database.rows(),
          "a run needs one id per query and one per database item");
  require(bit_weights.empty() || std::ssize(bit_weights) == database.bits(),
          fmt::format("{} bit weights were given for codes of {} bits", bit_weights.size(),
                      database.bits()));
  const auto weights =
      bit_weights.empty() ? nullptr : std::make_unique<const WeightTable>(bit_weights);
  for (Index start = 0; start < queries.rows(); start += kQueriesPerWrite) {
    const Index batch = std::min(kQueriesPerWrite, queries.rows() - start);
    std::vector<std::string> texts(static_cast<std::size_t>(batch));
    parallel_for(
        batch, resolve_threads(options.threads), kQueriesPerTask, [&](Index begin, Index end) {
          std::vector<std::uint16_t> bit_counts;
          std::vector<float> distances(static_cast<std::size_t>(database.rows()));
          for (Index i = begin; i < end; ++i) {
            measure(database, queries.row(start + i), weights.get(), bit_counts, distances);
            texts[static_cast<std::size_t>(i)] =
                lines_of(distances, options.depth, query_ids.id(start + i), item_ids, options.tag);
          }
        });
    for (const std::string& text : texts) {
      out << text;
    }
  }
  if (!out) {
    fail(Errc::io, "writing the run failed; is the disk full?");
  }
}

}  // namespace structhash
