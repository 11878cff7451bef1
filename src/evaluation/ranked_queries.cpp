#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "evaluation/ranker.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

/// Ranks single queries; its buffers serve one query after the other.
class QueryWorker {
 public:
  QueryWorker(const MakeRanker& make_ranker, const GroundTruth& truth, Index radii)
      : truth_(truth),
        ranker_(make_ranker()),
        grades_(static_cast<std::size_t>(truth.items())),
        passes_(truth.highest_grade() > 1 ? grades_.size() : 0) {
    ranked_.items = truth.items();
    ranked_.by_threshold.resize(static_cast<std::size_t>(truth.highest_grade()));
    ranked_.relevant.resize(ranked_.by_threshold.size());
    ranked_.within.resize(static_cast<std::size_t>(radii));
  }

  /// The ranking, or nothing when no item is relevant.
  const RankedQuery* rank(Index query) {
    truth_.grades(query, grades_);
    if (std::ranges::all_of(grades_, [](std::uint8_t grade) { return grade == 0; })) {
      return nullptr;
    }
    ranker_->measure(query);
    std::vector<TieGroup> unused;
    for (std::size_t level = 0; level < ranked_.by_threshold.size(); ++level) {
      const std::span<const std::uint8_t> relevant = passing(level + 1);
      ranked_.relevant[level] = std::ranges::count(relevant, std::uint8_t{1});
      ranker_->group(relevant, ranked_.by_threshold[level], level == 0 ? ranked_.within : unused);
    }
    return &ranked_;
  }

 private:
  /// 1 for the items of grade `threshold` or more, else 0.
  std::span<const std::uint8_t> passing(std::size_t threshold) {
    if (passes_.empty()) {
      return grades_;
    }
    std::ranges::transform(grades_, passes_.begin(), [&](std::uint8_t grade) {
      return static_cast<std::uint8_t>(grade >= threshold ? 1 : 0);
    });
    return passes_;
  }

  const GroundTruth& truth_;
  std::unique_ptr<Ranker> ranker_;
  std::vector<std::uint8_t> grades_;
  std::vector<std::uint8_t> passes_;
  RankedQuery ranked_;
};

}  // namespace

void require_sizes(const GroundTruth& truth, Index queries, Index items) {
  require(truth.queries() == queries && truth.items() == items,
          fmt::format("relevance is known for {} queries and {} database items, but {} queries and "
                      "{} items were given",
                      truth.queries(), truth.items(), queries, items));
  require(items <= Index{UINT32_MAX}, "at most 4,294,967,295 database items can be evaluated");
}

Index for_each_ranked_query(const MakeRanker& make_ranker, const GroundTruth& truth, Index radii,
                            const EvaluationOptions& options,
                            const std::function<void(Index, const RankedQuery&)>& use) {
  constexpr Index kQueriesPerTask = 16;
  constexpr Index kQueriesPerReport = 512;  // between two reports of progress
  const Threads threads = options.threads.count() > 0 ? options.threads : resolve_threads(0);
  std::atomic<Index> without_relevant{0};
  for (Index start = 0; start < truth.queries(); start += kQueriesPerReport) {
    const Index batch = std::min(kQueriesPerReport, truth.queries() - start);
    parallel_for(batch, threads, kQueriesPerTask, [&](Index begin, Index end) {
      QueryWorker worker(make_ranker, truth, radii);
      for (Index query = start + begin; query < start + end; ++query) {
        threads.stop_if_asked();
        if (const RankedQuery* ranked = worker.rank(query); ranked != nullptr) {
          use(query, *ranked);
        } else {
          ++without_relevant;
        }
      }
    });
    report(options.on_progress, {.stage = "evaluating",
                                 .done = to_double(start + batch),
                                 .total = to_double(truth.queries()),
                                 .detail = {}});
  }
  if (without_relevant == truth.queries()) {
    fail(Errc::bad_data,
         "no query has a relevant item in the database, so no measure is defined; do labels or "
         "judgments belong to these queries and this database?");
  }
  return without_relevant;
}

}  // namespace structhash
