#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include "core/row_range.hpp"
#include "core/suggest.hpp"
#include "relevance/collect.hpp"
#include "relevance/label_masks.hpp"
#include "relevance/sampling.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Rows sorted by class.  A class is a range of `order` and all other rows are outside of it, so
/// both can be sampled without visiting other rows.
struct ClassOrder {
  explicit ClassOrder(std::span<const int> all)
      : classes(all), order(all.size()), position(all.size()) {
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [this](Index row) { return class_of(row); });
    for (std::size_t at = 0; at < order.size(); ++at) {
      position[static_cast<std::size_t>(order[at])] = static_cast<Index>(at);
    }
  }

  int class_of(Index row) const { return classes[static_cast<std::size_t>(row)]; }
  /// Positions of the rows of a class in `order`.
  RowRange rows_of(int label) const {
    const auto found =
        std::ranges::equal_range(order, label, {}, [this](Index row) { return class_of(row); });
    const Index first = std::ranges::distance(order.begin(), found.begin());
    return {first, first + std::ssize(found)};
  }

  std::span<const int> classes;
  std::vector<Index> order;
  std::vector<Index> position;  // of a row in `order`
};

/// `count` rows at positions `from` of `order`, without those at positions `gap`.
std::vector<Index> sample_with_gap(const std::vector<Index>& order, RowRange from, RowRange gap,
                                   Index count, Rng& rng) {
  const Index population = from.size() - gap.size();
  std::vector<Index> sample =
      sample_without_replacement(population, std::min(count, population), rng);
  for (Index& pick : sample) {
    const Index at = from.begin + pick;
    pick = order[static_cast<std::size_t>(at < gap.begin ? at : at + gap.size())];
  }
  std::ranges::sort(sample);
  return sample;
}

Index items_of(const ListOptions& options, Index rows) {
  return options.items > 0 ? options.items : rows;
}

std::vector<QueryLists> from_classes(const std::vector<int>& labels, const ListOptions& options,
                                     const std::vector<Index>& queries, Seed seed,
                                     Threads threads) {
  const Index items = items_of(options, std::ssize(labels));
  const ClassOrder classes(std::span<const int>(labels).first(static_cast<std::size_t>(items)));
  return for_each_query(queries, seed, threads, [&](Index query, Rng& rng) {
    const RowRange own = classes.rows_of(labels[static_cast<std::size_t>(query)]);
    const Index self = query < items ? classes.position[static_cast<std::size_t>(query)] : own.end;
    const RowRange gap{self, query < items ? self + 1 : self};
    auto relevant = sample_with_gap(classes.order, own, gap, options.relevant, rng);
    auto irrelevant = sample_with_gap(classes.order, {0, items}, own, options.irrelevant, rng);
    return single_list(query, std::move(relevant), std::move(irrelevant));
  });
}

/// One list per threshold of the grades that the query gives all rows, each with items of its own.
QueryLists lists_by_grade(Index query, std::span<const int> grades, const ListOptions& options,
                          Rng& rng) {
  QueryLists result;
  for (int threshold = 1;; ++threshold) {
    std::vector<Index> relevant;
    std::vector<Index> irrelevant;
    for (Index row = 0; row < std::ssize(grades); ++row) {
      if (row != query) {
        (grades[static_cast<std::size_t>(row)] >= threshold ? relevant : irrelevant).push_back(row);
      }
    }
    if (threshold > 1 && relevant.empty()) {
      break;
    }
    QueryLists one = single_list(query, sample_of(relevant, options.relevant, rng),
                                 sample_of(irrelevant, options.irrelevant, rng));
    if (threshold == 1) {
      result = std::move(one);
    } else {
      result.has_irrelevant = true;  // rows of a lower grade
      std::ranges::move(one.lists, std::back_inserter(result.lists));
    }
    if (options.grades == LabelGrades::any) {
      break;
    }
  }
  for (RelevanceList& list : result.lists) {
    list.weight = 1.0 / to_double(std::ssize(result.lists));
  }
  return result;
}

/// Grades by the Jaccard index in place of shared labels.  Grades that no other row has are left
/// out, so that no two thresholds pass the same rows.
void jaccard_from_shared(Index query, const Vector<int>& counts, std::span<int> grades) {
  std::array<int, kJaccardGrades + 1> number{};
  for (Index row = 0; row < std::ssize(grades); ++row) {
    int& grade = grades[static_cast<std::size_t>(row)];
    const int either = counts(query) + counts(row) - grade;
    grade = grade == 0 ? 0 : 1 + grade * (kJaccardGrades - 1) / either;
    number.at(static_cast<std::size_t>(grade)) |= row != query ? 1 : 0;
  }
  number[0] = 0;
  std::partial_sum(number.begin(), number.end(), number.begin());
  for (int& grade : grades) {
    grade = number.at(static_cast<std::size_t>(grade));
  }
}

std::vector<QueryLists> from_multi_labels(const Matrix<std::uint8_t>& labels,
                                          const ListOptions& options,
                                          const std::vector<Index>& queries, Seed seed,
                                          Threads threads) {
  const LabelMasks masks(labels);
  const Vector<int> counts = labels.cast<int>().rowwise().sum();
  return for_each_query(queries, seed, threads, [&](Index query, Rng& rng) {
    std::vector<int> grades(static_cast<std::size_t>(masks.rows()));
    masks.shared(masks.row(query), grades);
    const auto of_items =
        std::span(grades).first(static_cast<std::size_t>(items_of(options, masks.rows())));
    if (options.grades == LabelGrades::jaccard) {
      jaccard_from_shared(query, counts, of_items);
    }
    return lists_by_grade(query, of_items, options, rng);
  });
}

}  // namespace

LabelGrades parse_label_grades(std::string_view name) {
  constexpr std::array<std::string_view, 3> kNames{"any", "shared", "jaccard"};
  const auto* const found = std::ranges::find(kNames, name);
  if (found == kNames.end()) {
    fail(Errc::usage, unknown_name("label grades", name, kNames));
  }
  return static_cast<LabelGrades>(found - kNames.begin());
}

BuiltLists lists_from_labels(const Labels& labels, const ListOptions& options, Seed seed,
                             Threads threads) {
  require(!labels.empty(), "relevance lists from labels need labels: none were given");
  require(options.items >= 0 && options.items < labels.size(),
          "the number of items must be 0, for all rows, or less than that of the rows");
  std::vector<Index> queries = chosen_queries(options, labels.size());
  if (options.queries.empty()) {
    queries.erase(queries.begin(), queries.begin() + options.items);
  }
  const Seed stream = seed.fork("relevance from labels");
  return collect(labels.is_multi()
                     ? from_multi_labels(labels.multi, options, queries, stream, threads)
                     : from_classes(labels.classes, options, queries, stream, threads));
}

}  // namespace structhash
