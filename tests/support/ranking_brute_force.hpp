#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "reference/interleaving.hpp"
#include "structhash/core/rng.hpp"

/// Slow twins of ranking/: measures by their textbook definition on a ranked 0/1 pattern, and the
/// row oracle by trying every permutation.  Nothing here knows of gain tables.
namespace structhash::test {

using Pattern = std::vector<bool>;  // true = relevant, best rank first

inline Index count_relevant(const Pattern& pattern) {
  return std::ranges::count(pattern, true);
}

/// Every ranked pattern of 2 to max_items items with at least one of either kind.
inline std::vector<Pattern> all_patterns(int max_items) {
  std::vector<Pattern> patterns;
  for (int items = 2; items <= max_items; ++items) {
    for (unsigned bits = 1; bits + 1 < (1U << items); ++bits) {
      Pattern pattern;
      for (int r = 0; r < items; ++r) {
        pattern.push_back(((bits >> r) & 1U) != 0);
      }
      patterns.push_back(pattern);
    }
  }
  return patterns;
}

inline Index hits_in_top(const Pattern& pattern, Index ranks) {
  return std::count(pattern.begin(), pattern.begin() + std::min<Index>(ranks, std::ssize(pattern)),
                    true);
}

/// sum over the relevant ranks r of worth(r, relevant items in the first r ranks).
template <typename Worth>
double sum_over_hits(const Pattern& pattern, Worth worth) {
  double sum = 0.0;
  Index hits = 0;
  for (Index rank = 1; rank <= std::ssize(pattern); ++rank) {
    if (pattern[static_cast<std::size_t>(rank - 1)]) {
      sum += worth(rank, ++hits);
    }
  }
  return sum;
}

/// The measures of training, where a cut-off counts as min(K, relevant items).
inline double textbook(std::string_view name, const Pattern& pattern, Index cutoff) {
  const Index P = count_relevant(pattern);
  const Index N = std::ssize(pattern) - P;
  const Index top = std::min(cutoff, P);
  const auto log_discount = [](Index rank) { return 1.0 / std::log2(to_double(rank + 1)); };
  if (name == "auc") {  // pairs in the right order: of the P N, those with the relevant one first
    return sum_over_hits(pattern,
                         [&](Index rank, Index hits) { return to_double(N - (rank - hits)); }) /
           to_double(P * N);
  }
  if (name == "ndcg" || name == "ndcg-paper") {
    const auto discount = [&](Index rank) {
      return name == "ndcg" ? log_discount(rank) : rank == 1 ? 1.0 : 1.0 / std::log2(rank);
    };
    double ideal = 0.0;
    for (Index rank = 1; rank <= top; ++rank) {
      ideal += discount(rank);
    }
    return sum_over_hits(pattern,
                         [&](Index rank, Index) { return rank <= top ? discount(rank) : 0.0; }) /
           ideal;
  }
  if (name == "ndcg-simple") {
    return sum_over_hits(pattern,
                         [&](Index rank, Index hits) { return log_discount(rank - hits + 1); }) /
           to_double(P);
  }
  if (name == "precision") {
    return to_double(hits_in_top(pattern, top)) / to_double(top);
  }
  if (name == "recall") {
    return to_double(hits_in_top(pattern, cutoff)) / to_double(top);
  }
  if (name == "map") {
    return sum_over_hits(pattern,
                         [](Index rank, Index hits) { return to_double(hits) / to_double(rank); }) /
           to_double(P);
  }
  if (name == "mrr") {
    return 1.0 / to_double(1 + (std::ranges::find(pattern, true) - pattern.begin()));
  }
  throw std::logic_error("a measure without a textbook definition: add it here");
}

/// The counts i_j of a pattern.
inline reference::Interleaving interleaving(const Pattern& pattern) {
  std::vector<Index> before;
  Index irrelevant = 0;
  for (const bool relevant : pattern) {
    if (relevant) {
      before.push_back(irrelevant);
    } else {
      ++irrelevant;
    }
  }
  return {Eigen::Map<Vector<Index>>(before.data(), std::ssize(before))};
}

/// Two groups of distances, each ascending.
struct DistanceLists {
  Vector<double> relevant;
  Vector<double> irrelevant;
};

/// A random small list; every second one takes its distances from few values, so that ties occur.
inline DistanceLists random_distances(std::uint64_t seed, Index max_items) {
  Rng rng(Seed{seed}.fork("distances"));
  const Index items = 2 + rng.below(max_items - 1);
  const Index P = 1 + rng.below(items - 1);
  const double scale = seed % 3 == 0 ? 0.1 : seed % 3 == 1 ? 0.5 : 2.0;
  const auto draw = [&](Index count) {
    Vector<double> values(count);
    for (double& value : values) {
      value =
          seed % 2 == 0 ? to_double(rng.below(4)) * 0.25 * scale : std::abs(rng.normal()) * scale;
    }
    std::ranges::sort(values);
    return values;
  };
  DistanceLists lists;
  lists.relevant = draw(P);
  lists.irrelevant = draw(items - P);
  return lists;
}

/// The value that Eq. (11) maximises, from its definition: loss - w' delta psi over the pairs of
/// Eq. (13); `ranked` holds items 0..P-1 (relevant) and P..P+N-1 (irrelevant), best first.
inline double augmented_loss(std::string_view measure, Index cutoff, const DistanceLists& lists,
                             const std::vector<Index>& ranked) {
  const Index P = lists.relevant.size();
  const Index N = lists.irrelevant.size();
  double pairs = 0.0;
  Pattern pattern;
  for (std::size_t r = 0; r < ranked.size(); ++r) {
    pattern.push_back(ranked[r] < P);
    for (std::size_t s = 0; s < r && ranked[r] < P; ++s) {
      if (ranked[s] >= P) {
        pairs += lists.relevant(ranked[r]) - lists.irrelevant(ranked[s] - P);
      }
    }
  }
  return 1.0 - textbook(measure, pattern, cutoff) + 2.0 * pairs / to_double(P * N);
}

/// Its maximum over every permutation of all items.
inline double brute_force_maximum(std::string_view measure, Index cutoff,
                                  const DistanceLists& lists) {
  std::vector<Index> ranked(
      static_cast<std::size_t>(lists.relevant.size() + lists.irrelevant.size()));
  std::iota(ranked.begin(), ranked.end(), Index{0});
  double best = -std::numeric_limits<double>::infinity();
  do {
    best = std::max(best, augmented_loss(measure, cutoff, lists, ranked));
  } while (std::next_permutation(ranked.begin(), ranked.end()));
  return best;
}

/// The ranking an interleaving describes, as augmented_loss takes it.
inline std::vector<Index> ranked_items(const reference::Interleaving& y, Index irrelevant) {
  std::vector<Index> ranked;
  Index k = 0;
  for (Index j = 0; j < y.before.size(); ++j) {
    for (; k < y.before(j); ++k) {
      ranked.push_back(y.before.size() + k);
    }
    ranked.push_back(j);
  }
  for (; k < irrelevant; ++k) {
    ranked.push_back(y.before.size() + k);
  }
  return ranked;
}

}  // namespace structhash::test
