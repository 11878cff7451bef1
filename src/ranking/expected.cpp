#include "ranking/expected.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "ranking/discount.hpp"
#include "ranking/hypergeometric.hpp"
#include "ranking/reciprocal_sum.hpp"

/// Expected values over all orders inside tie groups (docs/methods.md D.1).  In every function:
///
///   n, p    items and relevant items of a group          R   relevant items in all
///   N0, P0  items and relevant items in the groups before it
///
/// Best, worst and by-id orders need no code of their own: they arrive as groups without ties.
namespace structhash::expected {
namespace {

/// Calls visit(n, p, N0, P0) for each group in turn, until it returns false.
template <typename Visit>
void for_each_group(std::span<const TieGroup> groups, Visit visit) {
  Index items_before = 0;
  Index relevant_before = 0;
  for (const TieGroup& group : groups) {
    if (!visit(group.items, group.relevant, items_before, relevant_before)) {
      return;
    }
    items_before += group.items;
    relevant_before += group.relevant;
  }
}

/// Expected number of relevant items in the top K: P0 + (K - N0) p/n at the group of rank K.
double expected_hits(std::span<const TieGroup> groups, Index cutoff) {
  double hits = 0.0;
  for_each_group(groups, [&](Index n, Index p, Index N0, Index P0) {
    hits = N0 + n <= cutoff ? to_double(P0 + p)
                            : to_double(P0) + to_double(cutoff - N0) * to_double(p) / to_double(n);
    return N0 + n < cutoff;
  });
  return hits;
}

/// DCG@K of binary relevance: sum over groups of p/n (S(N0+1) + ... + S(min(N0+n, K))).
double discounted_hits(std::span<const TieGroup> groups, const Vector<double>& sums) {
  const Index cutoff = sums.size() - 1;
  double total = 0.0;
  for_each_group(groups, [&](Index n, Index p, Index N0, Index) {
    if (p > 0) {
      total += to_double(p) / to_double(n) * (sums(std::min(N0 + n, cutoff)) - sums(N0));
    }
    return N0 + n < cutoff;
  });
  return total;
}

/// NDCG@K, normalised by the best there is: S(1) + ... + S(min(K, R)) (B.5).  S is 1/log2(1 + r),
/// or that of Eq. (21) for ndcg-paper. Grades: the gain 2^grade - 1 is a sum of 2^(t-1) over the
/// thresholds t the item passes, so DCG and ideal DCG are the same sums over the binary rankings of
/// the thresholds.
MeasureFunction normalised_gain(Discount discount, Index cutoff, Index items) {
  return [sums = discount_sums(discount, std::min(cutoff, items))](const RankedQuery& query) {
    double gained = 0.0;
    double ideal = 0.0;
    for (std::size_t level = 0; level < query.by_threshold.size(); ++level) {
      const double gain = std::ldexp(1.0, static_cast<int>(level));
      const Index reachable = std::min(query.relevant[level], sums.size() - 1);
      gained += gain * discounted_hits(query.by_threshold[level], sums);
      ideal += gain * sums(reachable);
    }
    return gained / ideal;
  };
}

/// Sum over the first k ranks of a group of P(relevant) * E[precision | relevant]:
///
///   p/n sum_{t=1..k} (P0 + 1 + b (t - 1)) / (N0 + t),   b = (p - 1)/(n - 1), 0 for n = 1
///   = p/n [ (P0 + 1 - b (N0 + 1)) sum_{t=1..k} 1/(N0 + t) + b k ]
///
/// `reciprocals` is the inner sum, the same for every p.
double precision_at_hits(Index n, Index p, Index N0, Index P0, Index k, double reciprocals) {
  const double b = n > 1 ? to_double(p - 1) / to_double(n - 1) : 0.0;
  return to_double(p) / to_double(n) *
         ((to_double(P0 + 1) - b * to_double(N0 + 1)) * reciprocals + b * to_double(k));
}

}  // namespace

/// Eq. (19): (relevant, other) pairs in the right order; pairs inside a group count one half.  1 if
/// every item is relevant: nothing can be wrong.
MeasureFunction auc(Index /*cutoff*/, Index /*items*/) {
  return [](const RankedQuery& query) {
    const Index relevant = query.relevant.front();
    const Index others = query.items - relevant;
    if (others == 0) {
      return 1.0;
    }
    double right = 0.0;
    Index relevant_left = relevant;
    Index others_left = others;
    for (const TieGroup& group : query.groups()) {
      const Index other = group.items - group.relevant;
      relevant_left -= group.relevant;
      others_left -= other;
      right += to_double(group.relevant) * (to_double(others_left) + 0.5 * to_double(other));
    }
    right +=
        0.5 * to_double(relevant_left) * to_double(others_left);  // never found: tied at the end
    return right / (to_double(relevant) * to_double(others));
  };
}

MeasureFunction ndcg(Index cutoff, Index items) {
  return normalised_gain(discount_standard, cutoff, items);
}

MeasureFunction ndcg_paper(Index cutoff, Index items) {
  return normalised_gain(discount_paper, cutoff, items);
}

/// Simplified NDCG (docs/methods.md A.16): a relevant item with i irrelevant items before it gains
/// D(1 + i), D(r) = 1/log2(1 + r).  Among the n - p irrelevant items of its group every place of a
/// relevant item is equally likely; with I0 = N0 - P0 irrelevant items in the groups before,
///
///   1/R sum over groups of p/(n-p+1) (D(I0+1) + ... + D(I0+n-p+1))
///
/// Relevant items that were not found gain nothing.
MeasureFunction ndcg_simple(Index /*cutoff*/, Index items) {
  return [sums = discount_sums(discount_standard, items)](const RankedQuery& query) {
    double gained = 0.0;
    for_each_group(query.groups(), [&](Index n, Index p, Index N0, Index P0) {
      if (p > 0) {
        const Index places = n - p + 1;
        const Index before = N0 - P0;
        gained += to_double(p) / to_double(places) * (sums(before + places) - sums(before));
      }
      return true;
    });
    return gained / to_double(query.relevant.front());
  };
}

/// Eq. (20), divided by K even where the database is smaller.
MeasureFunction precision(Index cutoff, Index /*items*/) {
  return [cutoff](const RankedQuery& query) {
    return expected_hits(query.groups(), cutoff) / to_double(cutoff);
  };
}

/// Divided by all relevant items.
MeasureFunction recall(Index cutoff, Index /*items*/) {
  return [cutoff](const RankedQuery& query) {
    return expected_hits(query.groups(), cutoff) / to_double(query.relevant.front());
  };
}

/// Eq. (22); with a cut-off the sum stops at rank K and is still divided by all relevant items.
MeasureFunction average_precision(Index cutoff, Index items) {
  return [last = cutoff == 0 ? items : cutoff](const RankedQuery& query) {
    double sum = 0.0;
    for_each_group(query.groups(), [&](Index n, Index p, Index N0, Index P0) {
      if (p > 0) {
        const Index k = std::min(n, last - N0);
        sum += precision_at_hits(n, p, N0, P0, k, reciprocal_sum(N0, N0 + k));
      }
      return N0 + n < last;
    });
    return sum / to_double(query.relevant.front());
  };
}

/// AP over the first K ranks divided by the relevant items among them, 0 if there are none.
/// Where K cuts a group, h of its p relevant items fall before K with hypergeometric probability;
/// given h, the k = K - N0 ranks before K are a group of k items with h relevant ones.
MeasureFunction average_precision_retrieved(Index cutoff, Index /*items*/) {
  return [cutoff](const RankedQuery& query) {
    double sum = 0.0;    // of precision at hits, over the groups that lie before K
    double value = 0.0;  // sum / hits once K is reached
    for_each_group(query.groups(), [&](Index n, Index p, Index N0, Index P0) {
      const Index k = std::min(n, cutoff - N0);
      if (k == n) {
        sum += p > 0 ? precision_at_hits(n, p, N0, P0, n, reciprocal_sum(N0, N0 + n)) : 0.0;
        value = P0 + p > 0 ? sum / to_double(P0 + p) : 0.0;
      } else {
        const double reciprocals = reciprocal_sum(N0, N0 + k);
        value = hypergeometric_mean(n, p, k, [&](Index h) {
          const double inside = h > 0 ? precision_at_hits(k, h, N0, P0, k, reciprocals) : 0.0;
          return P0 + h > 0 ? (sum + inside) / to_double(P0 + h) : 0.0;
        });
      }
      return N0 + n < cutoff;
    });
    return value;
  };
}

/// sum_{t=1..n-p+1} C(n-t, p-1)/C(n, p) / (N0 + t) at the first group with p > 0; the probability
/// that the first relevant item is at t is updated from one t to the next.
MeasureFunction reciprocal_rank(Index /*cutoff*/, Index /*items*/) {
  return [](const RankedQuery& query) {
    double value = 0.0;
    for_each_group(query.groups(), [&](Index n, Index p, Index N0, Index) {
      double none_yet = 1.0;  // probability that the ranks before t hold no relevant item
      for (Index t = 1; p > 0 && t <= n - p + 1; ++t) {
        const double here = to_double(p) / to_double(n - t + 1);
        value += none_yet * here / to_double(N0 + t);
        none_yet *= 1.0 - here;
        if (none_yet < 1e-18 * value) {
          break;  // the remaining terms cannot change the sum
        }
      }
      return p == 0;
    });
    return value;
  };
}

/// Trapezoids over recall under the curve of expected precision against expected recall at every
/// rank, from recall 0 (with the precision of rank 1) on.  Inside a group, with q = p/n,
///
///   precision(N0 + t) = (P0 + q t)/(N0 + t),   recall grows by q/R a rank
///   area = q/R [ sum_{t=1..n} precision(N0 + t) + (precision(N0) - precision(N0 + n))/2 ]
///   sum_{t=1..n} precision(N0 + t) = q n + (P0 - q N0) sum_{t=1..n} 1/(N0 + t)
MeasureFunction precision_recall_area(Index /*cutoff*/, Index /*items*/) {
  return [](const RankedQuery& query) {
    double area = 0.0;
    for_each_group(query.groups(), [&](Index n, Index p, Index N0, Index P0) {
      if (p > 0) {
        const double q = to_double(p) / to_double(n);
        const double first = N0 > 0 ? to_double(P0) / to_double(N0) : q;
        const double last = to_double(P0 + p) / to_double(N0 + n);
        const double sum =
            q * to_double(n) + (to_double(P0) - q * to_double(N0)) * reciprocal_sum(N0, N0 + n);
        area += q * (sum + 0.5 * (first - last));
      }
      return true;
    });
    return area / to_double(query.relevant.front());
  };
}

/// Relevant share of the items at Hamming distance `cutoff` or less; 0 when there is none.
MeasureFunction precision_in_radius(Index cutoff, Index /*items*/) {
  return [cutoff](const RankedQuery& query) {
    const Index radius = std::min(cutoff, std::ssize(query.within) - 1);
    const TieGroup& inside = query.within[static_cast<std::size_t>(radius)];
    return inside.items > 0 ? to_double(inside.relevant) / to_double(inside.items) : 0.0;
  };
}

/// Inside a group the expected number of relevant items grows by p/n a rank, so the level L R is
/// reached t = ceil((L R - P0) n/p) ranks into it.
double precision_at_recall(const RankedQuery& query, double level) {
  // Rounding must not ask for a hair more than a whole item: 0.7 * 10 is 7, not 7.000000000000001.
  const double wanted = level * to_double(query.relevant.front()) * (1.0 - 1e-12);
  Index items_before = 0;
  Index relevant_before = 0;
  for (const auto& [items, relevant] : query.groups()) {
    if (to_double(relevant_before + relevant) >= wanted) {
      const double share = to_double(relevant) / to_double(items);
      const double ranks = std::max(1.0, std::ceil((wanted - to_double(relevant_before)) / share));
      return (to_double(relevant_before) + share * ranks) / (to_double(items_before) + ranks);
    }
    items_before += items;
    relevant_before += relevant;
  }
  return 0.0;  // never reached: not every relevant item was found
}

}  // namespace structhash::expected
