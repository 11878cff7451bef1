#include "structhash/evaluation/tie_aware.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr std::array<std::pair<std::string_view, Ties>, 4> kTies{{
    {"average", Ties::average},
    {"best", Ties::best},
    {"worst", Ties::worst},
    {"id", Ties::id},
}};

bool is_pure(TieGroup group) {
  return group.relevant == 0 || group.relevant == group.items;
}

void append_or_join(std::vector<TieGroup>& groups, TieGroup group) {
  if (group.items == 0) {
    return;
  }
  if (!groups.empty() && is_pure(group) && is_pure(groups.back()) &&
      (group.relevant == 0) == (groups.back().relevant == 0)) {
    groups.back().items += group.items;
    groups.back().relevant += group.relevant;
  } else {
    groups.push_back(group);
  }
}

}  // namespace

Ties parse_ties(std::string_view name) {
  for (const auto& [known, ties] : kTies) {
    if (name == known) {
      return ties;
    }
  }
  fail(Errc::usage, fmt::format("unknown treatment of ties \"{}\"; known are average (expected "
                                "value), best, worst and id (database order)",
                                name));
}

std::string_view name_of(Ties ties) {
  for (const auto& [name, known] : kTies) {
    if (ties == known) {
      return name;
    }
  }
  fail(Errc::internal, "a treatment of ties has no name");
}

void append(std::vector<TieGroup>& groups, TieGroup group, Ties ties) {
  const TieGroup relevant{.items = group.relevant, .relevant = group.relevant};
  const TieGroup others{.items = group.items - group.relevant, .relevant = 0};
  switch (ties) {
    case Ties::best:
      append_or_join(groups, relevant);
      append_or_join(groups, others);
      break;
    case Ties::worst:
      append_or_join(groups, others);
      append_or_join(groups, relevant);
      break;
    case Ties::average:
    case Ties::id:
      append_or_join(groups, group);
      break;
  }
}

}  // namespace structhash
