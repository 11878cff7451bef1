#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gemm.hpp"
#include "search/multi_index/multi_index.hpp"
#include "search/scan/flat_scan.hpp"
#include "structhash/core/rng.hpp"

/// Multi-index hashing against our own scan, one query at a time on one thread: 64 bits, k = 100,
/// codes around 1,000 centres.  Limit: three times as fast at ten million codes.
namespace structhash {
namespace {

constexpr Index kBits = 64;
constexpr Index kCentres = 1'000;
constexpr Index kNeighbours = 100;
constexpr Index kJudgedRows = 10'000'000;
constexpr Index kQueries = 100;
constexpr int kRepeats = 5;

/// Each bit is 1 with probability sixteenths / 16: one coin for every binary digit of it.
std::uint64_t biased_word(int sixteenths, Rng& rng) {
  std::uint64_t word = 0;
  for (int digit = 0; digit < 4; ++digit) {
    word = ((sixteenths >> digit) & 1) != 0 ? word | rng.next() : word & rng.next();
  }
  return word;
}

/// Codes whose bits differ from those of their centre with probability sixteenths / 16.
CodeMatrix make_codes(Index rows, int sixteenths, Seed seed) {
  Rng centre_rng(Seed{7});
  std::vector<std::uint64_t> centres(kCentres);
  for (std::uint64_t& centre : centres) {
    centre = centre_rng.next();
  }
  Rng rng(seed);
  CodeMatrix codes(rows, kBits);
  for (std::uint64_t& word : codes.mutable_words()) {
    word = centres[static_cast<std::size_t>(rng.below(kCentres))] ^ biased_word(sixteenths, rng);
  }
  return codes;
}

Neighbours one_by_one(const SearchEngine& engine, const CodeMatrix& queries) {
  Neighbours found;
  for (Index query = 0; query < queries.rows(); ++query) {
    const CodeSpan one(queries.row(query), 1, kBits);
    found.push_back(std::move(engine.nearest(one, kNeighbours, {}).front()));
  }
  return found;
}

struct Comparison {
  const char* name;
  int sixteenths;
  bool weighted;
  double limit;  // 0: shown, not judged
};

/// True when the answers are the same and the limit is kept.
bool compare(Index rows, const Comparison& comparison) {
  const CodeMatrix codes = make_codes(rows, comparison.sixteenths, Seed{1});
  const CodeMatrix queries = make_codes(kQueries, comparison.sixteenths, Seed{2});
  std::vector<float> weights;
  Rng rng(Seed{3});
  for (Index bit = 0; comparison.weighted && bit < kBits; ++bit) {
    weights.push_back(static_cast<float>(0.2 + rng.uniform()));
  }
  const auto scan =
      weights.empty() ? search::make_flat_scan(codes) : search::make_flat_scan(codes, weights);
  std::unique_ptr<SearchEngine> index;
  const double build = bench::seconds_of(bench::cpu_seconds,
                                         [&] { index = search::make_multi_index(codes, weights); });
  std::vector<double> scan_seconds;
  std::vector<double> index_seconds;
  bool same = true;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    Neighbours expected;
    Neighbours found;
    scan_seconds.push_back(
        bench::seconds_of(bench::cpu_seconds, [&] { expected = one_by_one(*scan, queries); }));
    index_seconds.push_back(
        bench::seconds_of(bench::cpu_seconds, [&] { found = one_by_one(*index, queries); }));
    same = same && found == expected;
  }
  const double scan_rate = kQueries / bench::median(scan_seconds);
  const double index_rate = kQueries / bench::median(index_seconds);
  const double ratio = index_rate / scan_rate;
  const bool pass = same && (ratio >= comparison.limit || rows < kJudgedRows);
  fmt::print(
      "{:<36} scan {:8.0f} q/s  multi-index {:8.0f} q/s  {:6.2f} x{}  built in {:4.1f} s  {}\n",
      comparison.name, scan_rate, index_rate, ratio,
      comparison.limit > 0 ? fmt::format(" (at least {})", comparison.limit) : "", build,
      !same  ? "WRONG"
      : pass ? "pass"
             : "FAIL");
  std::fflush(stdout);
  return pass;
}

int run(Index rows) {
  constexpr std::array comparisons{
      Comparison{"Hamming, 1/16 of the bits flipped", 1, false, 3.0},
      Comparison{"Hamming, 1/8", 2, false, 3.0},
      Comparison{"Hamming, 3/16", 3, false, 0.0},
      Comparison{"Hamming, random codes", 8, false, 0.0},
      Comparison{"weighted, 1/16", 1, true, 0.0},
      Comparison{"weighted, 1/8", 2, true, 3.0},
      Comparison{"weighted, 3/16", 3, true, 0.0},
  };
  fmt::print("{} codes of {} bits around {} centres, k = {}, one query at a time, one thread\n",
             rows, kBits, kCentres, kNeighbours);
  bool pass = true;
  for (const Comparison& comparison : comparisons) {
    pass = compare(rows, comparison) && pass;
  }
  return pass ? 0 : 1;
}

}  // namespace
}  // namespace structhash

/// bench_multi_index [ROWS]
int main(int argc, char** argv) {
  return structhash::run(argc > 1 ? std::atoll(argv[1]) : 10'000'000);
}
