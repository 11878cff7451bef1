#pragma once

#include <vector>

#include "structhash/core/rng.hpp"
#include "structhash/core/types.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// Small training sets made from a seed.
namespace structhash::test {

struct ClusterShape {
  Index clusters = 2;
  Index rows_per_cluster = 30;
  Index dimension = 8;
  double separation = 10.0;  // standard deviation of the centres; that of the points is 1
  bool lists = true;         // one per row, each as long as the set
};

/// Gaussian clusters; the class of a row is row mod clusters.  Every row is the query of one list:
/// its own cluster is relevant, all others are not.
inline TrainingSet gaussian_clusters(Seed seed, const ClusterShape& shape = {}) {
  Rng rng(seed.fork("gaussian_clusters"));
  const Index rows = shape.clusters * shape.rows_per_cluster;
  Matrix<double> centres(shape.clusters, shape.dimension);
  for (double& entry : centres.reshaped()) {
    entry = shape.separation * rng.normal();
  }
  TrainingSet data{.x = Matrix<float>(rows, shape.dimension), .labels = {}, .lists = {}};
  for (Index row = 0; row < rows; ++row) {
    const Index cluster = row % shape.clusters;
    data.labels.classes.push_back(static_cast<int>(cluster));
    for (Index column = 0; column < shape.dimension; ++column) {
      data.x(row, column) = static_cast<float>(centres(cluster, column) + rng.normal());
    }
  }
  for (Index query = 0; shape.lists && query < rows; ++query) {
    RelevanceList list{.query = query, .relevant = {}, .irrelevant = {}, .weight = 1.0};
    for (Index item = 0; item < rows; ++item) {
      if (item != query) {
        const bool relevant = item % shape.clusters == query % shape.clusters;
        (relevant ? list.relevant : list.irrelevant).push_back(item);
      }
    }
    data.lists.push_back(std::move(list));
  }
  return data;
}

}  // namespace structhash::test
