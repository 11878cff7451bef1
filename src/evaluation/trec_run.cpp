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
                    const BitWeights& bit_weights, const RowIds& query_ids, const RowIds& item_ids,
                    const TrecRunOptions& options) {
  constexpr double kMaxQueriesPerWrite = 512.0;
  require(options.depth >= 1, "a run needs at least one item per query");
  require(!options.tag.empty() && options.tag.find_first_of(" \t\r\n") == std::string::npos,
          "the tag of a run must be one word");
  require(database.bits() == queries.bits() && database.bits() <= kMaxCodeBits,
          fmt::format("database codes of {} bits and query codes of {} bits cannot be ranked",
                      database.bits(), queries.bits()));
  require(query_ids.rows() == queries.rows() && item_ids.rows() == database.rows(),
          "a run needs one id per query and one per database item");
  bit_weights.check(queries.rows(), database.bits());
  const double text_bytes =
      kBytesPerRunLine * to_double(std::max<Index>(1, std::min(options.depth, database.rows())));
  const auto at_once =
      static_cast<Index>(std::clamp(kMaxRunText / text_bytes, 1.0, kMaxQueriesPerWrite));
  const Threads threads = options.threads.count() > 0 ? options.threads : resolve_threads(0);
  const Index per_task = std::clamp<Index>(at_once / threads.count(), 1, 16);
  for (Index start = 0; start < queries.rows(); start += at_once) {
    const Index batch = std::min(at_once, queries.rows() - start);
    std::vector<std::string> texts(static_cast<std::size_t>(batch));
    parallel_for(batch, threads, per_task, [&](Index begin, Index end) {
      std::vector<std::uint16_t> bit_counts;
      std::vector<float> distances(static_cast<std::size_t>(database.rows()));
      for (Index i = begin; i < end; ++i) {
        threads.stop_if_asked();
        measure(database, queries.row(start + i), bit_weights.table(start + i).get(), bit_counts,
                distances);
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
