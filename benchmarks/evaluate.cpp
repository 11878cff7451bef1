#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <cmath>
#include <string>
#include <vector>

#include "gemm.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/evaluation/evaluate.hpp"

/// Evaluation of 2,000 queries against 68,000 codes of 64 bits by every measure, on two threads, in
/// units of one gemm.  Limits (the first issue): plain Hamming 4, weighted 16, memory below 1 GiB.
namespace structhash {
namespace {

constexpr Index kDatabase = 68'000;
constexpr Index kQueries = 2'000;
constexpr Index kBits = 64;
constexpr int kClasses = 10;
constexpr int kThreads = 2;

struct Codes {
  CodeMatrix codes;
  Labels labels;
};

/// Codes around one centre per class: each bit flipped with probability 0.3, so that distances and
/// ties are spread as those of learned codes are.
Codes make_codes(Index rows, Seed seed) {
  Rng centre_rng(Seed{7});
  Codes set{CodeMatrix(rows, kBits), {}};
  std::vector<std::uint64_t> centres(kClasses);
  for (std::uint64_t& centre : centres) {
    centre = centre_rng.next();
  }
  Rng rng(seed);
  for (Index row = 0; row < rows; ++row) {
    const Index label = rng.below(kClasses);
    set.labels.classes.push_back(static_cast<int>(label));
    for (Index bit = 0; bit < kBits; ++bit) {
      const bool centre = ((centres[static_cast<std::size_t>(label)] >> bit) & 1U) != 0;
      set.codes.set(row, bit, centre != (rng.uniform() < 0.3));
    }
  }
  return set;
}

/// Average precision of one query, the slow and obvious way: sort, then add up rank by rank, equal
/// distances by the expected precision.
double naive_average_precision(const Codes& database, const Codes& queries, Index query,
                               const WeightTable* weights) {
  std::vector<std::pair<double, int>> items;
  const int wanted = queries.labels.classes[static_cast<std::size_t>(query)];
  for (Index i = 0; i < kDatabase; ++i) {
    const CodeView a = database.codes.row(i);
    const CodeView b = queries.codes.row(query);
    items.emplace_back(weights != nullptr ? static_cast<double>(weights->distance(a, b))
                                          : to_double(hamming(a, b)),
                       database.labels.classes[static_cast<std::size_t>(i)] == wanted ? 1 : 0);
  }
  std::ranges::sort(items, {}, &std::pair<double, int>::first);
  double sum = 0.0;
  double before = 0.0;
  for (std::size_t begin = 0; begin < items.size();) {
    std::size_t end = begin;
    double p = 0.0;
    while (end < items.size() && items[end].first == items[begin].first) {
      p += items[end++].second;
    }
    const auto n = static_cast<double>(end - begin);
    for (std::size_t at = begin; at < end; ++at) {
      const double ahead = n > 1 ? static_cast<double>(at - begin) * (p - 1) / (n - 1) : 0.0;
      sum += p / n * (before + 1 + ahead) / static_cast<double>(at + 1);
    }
    before += p;
    begin = end;
  }
  return sum / before;
}

/// What all threads of this program computed: unlike the time that passed it does not count the
/// turns of other programs, so it is what the limits are held against.
double process_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

int run() {
  const Codes database = make_codes(kDatabase, Seed{1});
  const Codes queries = make_codes(kQueries, Seed{2});
  const auto truth = GroundTruth::from_labels(queries.labels, database.labels);
  const std::vector<std::string> measures{
      "map",         "ndcg@100", "ndcg-paper@100",      "precision@100",
      "recall@1000", "map@1000", "map-retrieved@10000", "mrr",
      "auc",         "pr-auc",   "precision-radius@2"};
  std::vector<float> weights;
  Rng rng(Seed{3});
  for (Index bit = 0; bit < kBits; ++bit) {
    weights.push_back(static_cast<float>(rng.uniform()));
  }
  const WeightTable table(weights);

  bench::Gemm gemm;
  int failures = 0;
  fmt::print("{} queries x {} codes of {} bits, {} measures, {} threads\n", kQueries, kDatabase,
             kBits, measures.size(), kThreads);
  const auto measure = [&](const char* name, std::span<const float> bit_weights,
                           const WeightTable* weight_table, Ties ties, double limit) {
    std::vector<double> passed;
    std::vector<double> computed;
    std::vector<double> unit;
    Evaluation result;
    const auto work = [&] {
      result = evaluate(database.codes, queries.codes, bit_weights, truth, measures,
                        {.ties = ties, .threads = kThreads, .on_progress = {}});
    };
    for (int repeat = 0; repeat < 5; ++repeat) {
      unit.push_back(gemm.seconds(bench::cpu_seconds));
      computed.push_back(
          bench::seconds_of(
              process_seconds,
              [&] { passed.push_back(bench::seconds_of(bench::wall_seconds, work)); }) /
          kThreads);
    }
    double error = 0.0;
    for (const Index query : {Index{0}, Index{777}, kQueries - 1}) {
      error = std::max(error,
                       std::abs(result.per_query(query, 0) -
                                naive_average_precision(database, queries, query, weight_table)));
    }
    const bool right = ties != Ties::average || error < 1e-10;
    const double ratio = bench::median(computed) / bench::median(unit);
    failures += right && gemm.correct() && ratio <= limit ? 0 : 1;
    fmt::print(
        "{:<20} {:6.2f} gemm (limit {:2}), {:6.2f} by the clock on the wall  map {:.4f}  {}\n",
        name, ratio, limit, bench::median(passed) / bench::median(unit), result.means.front(),
        right ? "checked" : "WRONG");
  };
  measure("Hamming, average", {}, nullptr, Ties::average, 4.0);
  measure("Hamming, by id", {}, nullptr, Ties::id, 4.0);
  measure("weighted, average", weights, &table, Ties::average, 16.0);
  measure("weighted, by id", weights, &table, Ties::id, 16.0);
  fmt::print("one gemm {:.3f} s; peak memory {:.0f} MiB (limit 1024)\n",
             gemm.seconds(bench::cpu_seconds), peak_memory_mib());
  return failures == 0 && peak_memory_mib() < 1024.0 ? 0 : 1;
}

}  // namespace
}  // namespace structhash

int main() {
  return structhash::run();
}
