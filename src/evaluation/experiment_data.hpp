#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "evaluation/retrieval_task.hpp"
#include "features/image.hpp"
#include "structhash/evaluation/experiment.hpp"

/// From the data sets of an experiment to the tasks of its cells.
namespace structhash {

/// A data set of an experiment in memory.
struct ExperimentData {
  Dataset items;
  Matrix<float> queries;           // no rows: queries are drawn from the items
  ImageSet images;                 // of the items; none: they have no pictures
  std::vector<std::string> texts;  // of the items; none: they have no texts
};

/// The texts of a data set of so many rows, none if it has none.  Each file is a JSON list of
/// strings.  Throws Errc::bad_data for anything else, Errc::usage unless there is one per row.
std::vector<std::string> load_texts(const ExperimentDataset& dataset, Index rows);

/// Loads a data set once for all jobs that use it at the same time, and frees it when the last of
/// them is done.  May be called from any thread.
class ExperimentDataStore {
 public:
  explicit ExperimentDataStore(int threads) : threads_(threads) {}
  std::shared_ptr<const ExperimentData> get(const ExperimentDataset& dataset);

 private:
  int threads_;
  std::mutex mutex_;
  std::map<const ExperimentDataset*, std::weak_ptr<const ExperimentData>> loaded_;
};

/// Draws queries and training rows by the seed of the cell, and builds the supervision of its
/// method.
RetrievalTask make_task(const ExperimentData& data, const Experiment& experiment,
                        const ExperimentCell& cell, int threads);

}  // namespace structhash
