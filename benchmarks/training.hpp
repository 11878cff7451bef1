#pragma once

#include <string>
#include <vector>

#include "gemm.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/data/split.hpp"
#include "structhash/evaluation/evaluate.hpp"
#include "structhash/relevance/builders.hpp"

/// Training a method on labelled rows and measuring its codes, on two threads.
namespace structhash::bench {

inline constexpr int kThreads = 2;

/// Rows to train on, and queries that rank the database, which holds the training rows.
struct Task {
  Dataset train;
  Dataset database;
  Dataset queries;
};

/// Random rows of one set: `queries`, then `train` of the others, which are all the database.
inline Task draw_task(const Dataset& all, Index queries, Index train) {
  const Split parts = split(all.size(), queries, train, Seed{1});
  return {all.select(parts.train), all.select(parts.database), all.select(parts.queries)};
}

inline TrainingSet training_set(const Dataset& train, Supervision supervision) {
  TrainingSet training{.x = train.features, .labels = train.labels, .lists = {}, .finite = true};
  if (supervision == Supervision::lists) {
    training.lists = lists_from_labels(train.labels, {.relevant = 50, .irrelevant = 50},
                                       Seed{1}.fork("lists"), kThreads)
                         .lists;
  }
  return training;
}

struct Trained {
  HashModel model;
  double seconds = 0.0;
};

/// The lists are made before the clock starts: every method has the same.
inline Trained train(const MethodEntry& method, const MethodOptions& options, const Dataset& rows) {
  const TrainingSet training = training_set(rows, method.supervision);
  const auto hasher = method.make(options);
  Trained trained;
  trained.seconds = seconds_of(wall_seconds, [&] {
    trained.model = hasher->fit(training, {.seed = Seed{1}, .threads = kThreads});
  });
  return trained;
}

/// Ties averaged, by the distance that the model is made for.
inline double mean_average_precision(const HashModel& model, const Task& task) {
  const GroundTruth truth = GroundTruth::from_labels(task.queries.labels, task.database.labels);
  const std::vector<std::string> measures{"map"};
  return evaluate(encode(model, task.database.features, kThreads),
                  encode(model, task.queries.features, kThreads), model.bit_weights, truth,
                  measures, {.threads = kThreads})
      .means.front();
}

}  // namespace structhash::bench
