#include "baselines/min_cut.hpp"

#include <algorithm>
#include <limits>

namespace structhash {

AgreementProblem::AgreementProblem(Index points)
    : source_(static_cast<std::int32_t>(points)),
      sink_(static_cast<std::int32_t>(points) + 1),
      arcs_of_(static_cast<std::size_t>(points) + 2) {}

void AgreementProblem::add_arcs(Index from, Index to, std::int64_t forward, std::int64_t backward) {
  arcs_of_[static_cast<std::size_t>(from)].push_back(static_cast<std::int32_t>(arcs_.size()));
  arcs_.push_back({static_cast<std::int32_t>(to), forward});
  arcs_of_[static_cast<std::size_t>(to)].push_back(static_cast<std::int32_t>(arcs_.size()));
  arcs_.push_back({static_cast<std::int32_t>(from), backward});
}

void AgreementProblem::add_bias(Index point, std::int64_t bias) {
  if (bias > 0) {
    add_arcs(source_, point, bias, 0);
  } else if (bias < 0) {
    add_arcs(point, sink_, -bias, 0);
  }
}

void AgreementProblem::add_edge(Index p, Index q, std::int64_t weight) {
  if (weight > 0) {
    add_arcs(p, q, weight, weight);
  }
}

/// Breadth first from the source over arcs with capacity left; true if the sink is reached.
bool AgreementProblem::find_levels() {
  level_.assign(arcs_of_.size(), -1);
  std::vector<std::int32_t> queue{source_};
  level_[static_cast<std::size_t>(source_)] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const auto node = static_cast<std::size_t>(queue[head]);
    for (const std::int32_t number : arcs_of_[node]) {
      const Arc& arc = arcs_[static_cast<std::size_t>(number)];
      std::int32_t& level = level_[static_cast<std::size_t>(arc.to)];
      if (arc.left > 0 && level < 0) {
        level = level_[node] + 1;
        queue.push_back(arc.to);
      }
    }
  }
  return level_[static_cast<std::size_t>(sink_)] >= 0;
}

/// Pushes flow from a node towards the sink along levels; recursion is as deep as the levels.
std::int64_t AgreementProblem::push(std::int32_t node, std::int64_t max_flow) {
  if (node == sink_) {
    return max_flow;
  }
  const auto at = static_cast<std::size_t>(node);
  std::int64_t pushed = 0;
  for (std::size_t& i = next_[at]; i < arcs_of_[at].size(); ++i) {
    const auto number = static_cast<std::size_t>(arcs_of_[at][i]);
    if (arcs_[number].left > 0 &&
        level_[static_cast<std::size_t>(arcs_[number].to)] == level_[at] + 1) {
      const std::int64_t flow =
          push(arcs_[number].to, std::min(max_flow - pushed, arcs_[number].left));
      arcs_[number].left -= flow;
      arcs_[number ^ 1U].left += flow;
      pushed += flow;
      if (pushed == max_flow) {
        return pushed;
      }
    }
  }
  return pushed;
}

std::vector<std::int8_t> AgreementProblem::solve() {
  while (find_levels()) {
    next_.assign(arcs_of_.size(), 0);
    push(source_, std::numeric_limits<std::int64_t>::max());
  }
  std::vector<std::int8_t> signs;  // +1 on the source's side of the cut
  for (std::size_t point = 0; point + 2 < arcs_of_.size(); ++point) {
    signs.push_back(level_[point] >= 0 ? 1 : -1);
  }
  return signs;
}

}  // namespace structhash
