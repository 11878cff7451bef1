#pragma once

#include <vector>

#include "ranking/ranked_query.hpp"
#include "structhash/evaluation/evaluate.hpp"

namespace structhash {

/// Builds the groups of a ranking as `ties` says: whole, or split into relevant and irrelevant
/// items.  Adjacent groups of only relevant, or of only irrelevant items are merged: no order of
/// such items changes a measure, and long rankings stay short.  (For Ties::id the caller adds
/// groups of one item.)
class GroupBuilder {
 public:
  GroupBuilder(Ties ties, std::vector<TieGroup>& groups) : ties_(ties), groups_(groups) {
    groups_.clear();
  }
  ~GroupBuilder() = default;
  GroupBuilder(const GroupBuilder&) = delete;
  GroupBuilder& operator=(const GroupBuilder&) = delete;

  /// Adds the next group, farther away than all before.
  void add(TieGroup group) {
    if (group.relevant == 0 || group.relevant == group.items || ties_ == Ties::average ||
        ties_ == Ties::id) {
      join(group);
    } else {
      add_split(group);
    }
  }
  void finish();  // after the last group

 private:
  /// Bit 0: has relevant items; bit 1: has irrelevant ones.  Equal kinds below 3 join.
  static unsigned kind_of(TieGroup group) {
    return (group.relevant != 0 ? 1U : 0U) | (group.relevant != group.items ? 2U : 0U);
  }
  void join(TieGroup group) {
    const unsigned kind = kind_of(group);
    if (kind == kind_ && kind != 3U) {
      last_.items += group.items;
      last_.relevant += group.relevant;
    } else {
      finish();
      last_ = group;
      kind_ = kind;
    }
  }
  void add_split(TieGroup group);

  Ties ties_;
  std::vector<TieGroup>& groups_;
  TieGroup last_;       // not yet in groups_
  unsigned kind_ = 0U;  // of last_; 0: there is none
};

}  // namespace structhash
