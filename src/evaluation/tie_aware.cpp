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

void GroupBuilder::finish() {
  if (last_.items > 0) {
    groups_.push_back(last_);
    last_ = {};
    kind_ = 0U;
  }
}

void GroupBuilder::add_cut(TieGroup group) {
  const TieGroup relevant{.items = group.relevant, .relevant = group.relevant};
  const TieGroup others{.items = group.items - group.relevant, .relevant = 0};
  join(ties_ == Ties::best ? relevant : others);
  join(ties_ == Ties::best ? others : relevant);
}

}  // namespace structhash
