#include "evaluation/tie_aware.hpp"

#include <array>
#include <utility>

#include "core/suggest.hpp"
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
  std::vector<std::string_view> known;
  for (const auto& [ties_name, ties] : kTies) {
    if (name == ties_name) {
      return ties;
    }
    known.push_back(ties_name);
  }
  fail(Errc::usage, unknown_name("order of ties", name, known));
}

std::string_view name_of(Ties ties) {
  for (const auto& [name, known] : kTies) {
    if (ties == known) {
      return name;
    }
  }
  fail(Errc::internal, "an order of ties has no name");
}

void GroupBuilder::finish() {
  if (last_.items > 0) {
    groups_.push_back(last_);
    last_ = {};
    kind_ = 0U;
  }
}

void GroupBuilder::add_split(TieGroup group) {
  const TieGroup relevant{.items = group.relevant, .relevant = group.relevant};
  const TieGroup others{.items = group.items - group.relevant, .relevant = 0};
  join(ties_ == Ties::best ? relevant : others);
  join(ties_ == Ties::best ? others : relevant);
}

}  // namespace structhash
