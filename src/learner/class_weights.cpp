#include "learner/class_weights.hpp"

#include <cmath>

#include "data/related_rows.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

double class_factor(ClassWeight kind, Index size) {
  switch (kind) {
    case ClassWeight::none:
      return 1.0;
    case ClassWeight::root:
      return 1.0 / std::sqrt(to_double(size));
    case ClassWeight::balanced:
      return 1.0 / to_double(size);
  }
  return 1.0;
}

std::vector<RelevanceList> weighted_by_class(std::span<const RelevanceList> lists,
                                             const Labels& labels, const Shards& shards,
                                             ClassWeight kind) {
  std::vector<RelevanceList> weighted(lists.begin(), lists.end());
  for (Index shard = 0; shard < shards.count(); ++shard) {
    const RowRange rows = shards.rows(shard);
    const RelatedRows related(labels, rows);
    for (RelevanceList& list : weighted) {
      if (list.query >= rows.begin && list.query < rows.end) {
        list.weight *= class_factor(kind, related.of(list.query) + 1);
      }
    }
  }
  return weighted;
}

void check_class_weight(ClassWeight kind, const Labels& labels) {
  if (kind != ClassWeight::none && labels.classes.empty()) {
    fail(Errc::bad_data,
         "class-weight needs labels with one class per row; weight the queries of judgments and of "
         "multi-labels themselves (Python: sample_weight)");
  }
}

}  // namespace structhash
