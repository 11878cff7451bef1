#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "structhash/core/types.hpp"
#include "structhash/evaluation/evaluate.hpp"
#include "structhash/ranking/measures.hpp"

/// Slow twins: rankings as plain sequences of grades, measures as textbooks define them, ties by
/// going through every order.
namespace structhash::brute_force {

/// Grades of the items in ranked order; `missing` are relevant items that were not found.
struct Ranking {
  std::vector<int> grades;
  std::vector<int> missing;
  Index others_missing = 0;

  int relevant() const {
    const auto is_relevant = [](int grade) { return grade > 0; };
    return static_cast<int>(std::ranges::count_if(grades, is_relevant) +
                            std::ranges::count_if(missing, is_relevant));
  }
};

inline double hits(const Ranking& ranking, std::size_t cutoff) {
  double sum = 0.0;
  for (std::size_t rank = 1; rank <= std::min(cutoff, ranking.grades.size()); ++rank) {
    sum += ranking.grades[rank - 1] > 0 ? 1.0 : 0.0;
  }
  return sum;
}

/// Sum of precision at the relevant ranks up to K.
inline double precision_sum(const Ranking& ranking, std::size_t cutoff) {
  double sum = 0.0;
  double found = 0.0;
  for (std::size_t rank = 1; rank <= std::min(cutoff, ranking.grades.size()); ++rank) {
    if (ranking.grades[rank - 1] > 0) {
      found += 1.0;
      sum += found / static_cast<double>(rank);
    }
  }
  return sum;
}

inline double ndcg(const Ranking& ranking, std::size_t cutoff, bool paper) {
  const auto dcg = [&](const std::vector<int>& grades) {
    double sum = 0.0;
    for (std::size_t rank = 1; rank <= std::min(cutoff, grades.size()); ++rank) {
      const auto r = static_cast<double>(rank);
      const double discount = !paper      ? 1.0 / std::log2(r + 1.0)
                              : rank <= 2 ? 1.0
                                          : 1.0 / std::log2(r);
      sum += (std::exp2(grades[rank - 1]) - 1.0) * discount;
    }
    return sum;
  };
  std::vector<int> ideal = ranking.grades;
  ideal.insert(ideal.end(), ranking.missing.begin(), ranking.missing.end());
  std::ranges::sort(ideal, std::greater{});
  return dcg(ranking.grades) / dcg(ideal);
}

/// NDCG with the rank among irrelevant items only, docs/methods.md A.16.
inline double ndcg_simple(const Ranking& ranking) {
  double sum = 0.0;
  double irrelevant = 0.0;
  for (const int grade : ranking.grades) {
    if (grade > 0) {
      sum += 1.0 / std::log2(2.0 + irrelevant);
    } else {
      irrelevant += 1.0;
    }
  }
  return sum / ranking.relevant();
}

inline double auc(const Ranking& ranking) {
  double right = 0.0;
  double pairs = 0.0;
  const double missing = to_double(std::ssize(ranking.missing));
  const auto others_missing = static_cast<double>(ranking.others_missing);
  for (std::size_t j = 0; j < ranking.grades.size(); ++j) {
    for (std::size_t k = 0; k < ranking.grades.size(); ++k) {
      if (ranking.grades[j] > 0 && ranking.grades[k] <= 0) {
        pairs += 1.0;
        right += j < k ? 1.0 : 0.0;
      }
    }
    if (ranking.grades[j] > 0) {
      right += others_missing;
      pairs += others_missing;
    } else {
      pairs += missing;
    }
  }
  right += 0.5 * missing * others_missing;
  pairs += missing * others_missing;
  return pairs > 0.0 ? right / pairs : 1.0;
}

inline double reciprocal_rank(const Ranking& ranking) {
  for (std::size_t rank = 1; rank <= ranking.grades.size(); ++rank) {
    if (ranking.grades[rank - 1] > 0) {
      return 1.0 / static_cast<double>(rank);
    }
  }
  return 0.0;
}

/// Trapezoids under precision against recall, given the relevant items found up to each rank.
inline double area(const std::vector<double>& found, double relevant) {
  double sum = 0.0;
  for (std::size_t rank = 1; rank <= found.size(); ++rank) {
    const double before = rank > 1 ? found[rank - 2] : 0.0;
    const double precision = found[rank - 1] / static_cast<double>(rank);
    const double previous = rank > 1 ? before / static_cast<double>(rank - 1) : precision;
    sum += 0.5 * (precision + previous) * (found[rank - 1] - before) / relevant;
  }
  return sum;
}

/// Every measure but pr-auc and precision-radius, of one ranking without ties.
inline double textbook(const std::string& name, std::size_t cutoff, const Ranking& ranking) {
  const double relevant = ranking.relevant();
  const auto K = static_cast<double>(cutoff);
  if (name == "ndcg") {
    return ndcg(ranking, cutoff, false);
  }
  if (name == "ndcg-paper") {
    return ndcg(ranking, cutoff, true);
  }
  if (name == "ndcg-simple") {
    return ndcg_simple(ranking);
  }
  if (name == "precision") {
    return hits(ranking, cutoff) / K;
  }
  if (name == "recall") {
    return hits(ranking, cutoff) / relevant;
  }
  if (name == "map") {
    return precision_sum(ranking, cutoff == 0 ? ranking.grades.size() : cutoff) / relevant;
  }
  if (name == "map-retrieved") {
    const double found = hits(ranking, cutoff);
    return found > 0.0 ? precision_sum(ranking, cutoff) / found : 0.0;
  }
  if (name == "mrr") {
    return reciprocal_rank(ranking);
  }
  if (name == "auc") {
    return auc(ranking);
  }
  ADD_FAILURE() << "no textbook definition of " << name;
  return 0.0;
}

/// Calls visit for every order of the items that respects the distances; equal patterns of grades
/// inside a group are visited once, as all are equally likely.
inline void for_each_order(const std::vector<double>& distances, const std::vector<int>& grades,
                           const std::function<void(const Ranking&)>& visit) {
  std::vector<std::size_t> order(distances.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(distances[i], grades[i]); });
  Ranking ranking;
  std::vector<std::size_t> ends;  // of the tie groups
  for (std::size_t at = 0; at < order.size(); ++at) {
    const int grade = grades[order[at]];
    if (distances[order[at]] == INFINITY) {
      (grade > 0) ? ranking.missing.push_back(grade) : void(++ranking.others_missing);
      continue;
    }
    if (at > 0 && distances[order[at]] != distances[order[at - 1]]) {
      ends.push_back(at);
    }
    ranking.grades.push_back(grade);
  }
  ends.push_back(ranking.grades.size());
  const std::function<void(std::size_t)> permute = [&](std::size_t group) {
    if (group == ends.size()) {
      visit(ranking);
      return;
    }
    const auto at = [&](std::size_t i) {
      return ranking.grades.begin() + static_cast<std::ptrdiff_t>(i);
    };
    const auto begin = at(group == 0 ? 0 : ends[group - 1]);
    do {
      permute(group + 1);
    } while (std::next_permutation(begin, at(ends[group])));
  };
  permute(0);
}

/// Means, and least and greatest values, over all orders; pr-auc of the mean curve.
struct Values {
  double mean = 0.0;
  double least = INFINITY;
  double greatest = -INFINITY;
};

inline Values over_all_orders(const std::string& name, std::size_t cutoff,
                              const std::vector<double>& distances,
                              const std::vector<int>& grades) {
  Values values;
  double orders = 0.0;
  double relevant = 0.0;
  std::vector<double> found;
  for_each_order(distances, grades, [&](const Ranking& ranking) {
    orders += 1.0;
    relevant = ranking.relevant();
    found.resize(ranking.grades.size());
    for (std::size_t rank = 1; rank <= found.size(); ++rank) {
      found[rank - 1] += hits(ranking, rank);
    }
    if (name != "pr-auc") {
      const double value = textbook(name, cutoff, ranking);
      values.mean += value;
      values.least = std::min(values.least, value);
      values.greatest = std::max(values.greatest, value);
    }
  });
  values.mean /= orders;
  if (name == "pr-auc") {
    std::ranges::for_each(found, [&](double& sum) { sum /= orders; });
    values.mean = area(found, relevant);
  }
  return values;
}

}  // namespace structhash::brute_force
