#pragma once

#include <cstdint>
#include <vector>

#include "structhash/core/types.hpp"

namespace structhash {

/// Signs with biases and pairwise agreement, solved exactly by a minimum cut:
///
///   max_s  sum_p bias_p s_p + sum_edges weight s_p s_q,     weight >= 0,  s_p = +1 or -1
///
/// Weights are whole numbers, so that the result is the same on every machine; undecided points get
/// -1. Maximum flow by Dinic's algorithm.
class AgreementProblem {
 public:
  explicit AgreementProblem(Index points);
  void add_bias(Index point, std::int64_t bias);
  void add_edge(Index p, Index q, std::int64_t weight);
  std::vector<std::int8_t> solve();

 private:
  struct Arc {
    std::int32_t to;
    std::int64_t left;  // capacity not used yet
  };
  void add_arcs(Index from, Index to, std::int64_t forward, std::int64_t backward);
  bool find_levels();
  std::int64_t push(std::int32_t node, std::int64_t max_flow);

  std::int32_t source_;
  std::int32_t sink_;
  std::vector<Arc> arcs_;  // arc i and its reverse i ^ 1 are neighbours
  std::vector<std::vector<std::int32_t>> arcs_of_;
  std::vector<std::int32_t> level_;
  std::vector<std::size_t> next_;
};

}  // namespace structhash
