#pragma once

#include <numeric>

#include "learner/tuning/held_out_scores.hpp"
#include "structhash/hashing/model.hpp"
#include "support/tiny_datasets.hpp"

/// Four overlapping clusters, and how well a model ranks them.
namespace structhash {

inline TrainingSet clusters(Index rows_per_cluster = 30) {
  return test::gaussian_clusters(
      Seed{5},
      {.clusters = 4, .rows_per_cluster = rows_per_cluster, .dimension = 10, .separation = 1.0});
}

inline double mean_average_precision(const HashModel& model, const TrainingSet& data) {
  const auto measure = held_out_measure("map", 1.0, data.lists);
  const auto values = scores(measure, data.lists, encode(model, data.x, 1), model.bit_weights, 1);
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace structhash
