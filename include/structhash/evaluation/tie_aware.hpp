#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "structhash/core/types.hpp"

/// Codes make large ties: many items stand at the same distance.  A ranking is therefore a sequence
/// of tie groups, and a measure is a function of the groups (docs/evaluation.md).
namespace structhash {

/// Items at one distance from the query; the groups of a ranking come in ascending distance.
struct TieGroup {
  Index items = 0;     // n >= 1
  Index relevant = 0;  // p of them
  bool operator==(const TieGroup&) const = default;
};

/// What becomes of the order inside a group.
enum class Ties {
  average,  // expected value over all orders, in closed form: the default
  best,     // relevant items first
  worst,    // relevant items last
  id,       // in the order of the database
};

Ties parse_ties(std::string_view name);  // throws, naming the four
std::string_view name_of(Ties ties);

/// The ranking of the database for one query, ready for any measure.
struct RankedQuery {
  /// Element t - 1 holds the groups when items of grade t or more are relevant: one element for
  /// binary relevance.  Only the graded measures look beyond the first.
  std::vector<std::vector<TieGroup>> by_threshold;
  std::vector<Index> relevant;  // relevant items at each threshold, found or not
  Index items = 0;              // items in the database, found or not
  /// within[d]: all items, and the relevant ones, at Hamming distance d or less.
  std::vector<TieGroup> within;

  std::span<const TieGroup> groups() const { return by_threshold.front(); }
};

/// Builds the groups of a ranking the way `ties` wants them: whole, or cut into the relevant and
/// the other items.  Neighbouring groups of only relevant, or of only other items, become one: no
/// order of such items changes any measure, and long rankings stay short.  (For Ties::id the caller
/// adds groups of one item.)
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
      add_cut(group);
    }
  }
  void finish();  // after the last group

 private:
  /// Bit 0: has relevant items; bit 1: has others.  Equal kinds below 3 join.
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
  void add_cut(TieGroup group);

  Ties ties_;
  std::vector<TieGroup>& groups_;
  TieGroup last_;       // not yet in groups_
  unsigned kind_ = 0U;  // of last_; 0: there is none
};

}  // namespace structhash
