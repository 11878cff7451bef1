#pragma once

#include <string>
#include <vector>

#include "structhash/baselines/methods.hpp"
#include "structhash/evaluation/ground_truth.hpp"
#include "structhash/report/result_files.hpp"
#include "training_data.hpp"

/// The contest of `structhash demo`: methods on the embedded digits, as rows like an experiment's.
namespace structhash::cli {

/// Everything the methods share: the digits, split once.
struct DemoTask {
  TrainingData training;  // also the database
  Dataset queries;
  GroundTruth truth;
  std::vector<Index> shown;  // queries whose answers are shown as pictures
};

DemoTask prepare_demo(Seed seed, int threads);

/// A method as the demo runs it; empty functions are the method's default.
struct Contestant {
  const MethodEntry* method = nullptr;
  std::string functions{};
};

/// Those of the table that are named, all if none is; StructHash with linear and with kernel
/// functions.  Throws Errc::usage for a name that is not in the table.
std::vector<Contestant> contestants(const std::vector<std::string>& names);

/// One row per distance: a model with bit weights is also compared without them.
std::vector<DetailedRow> run_contestant(const Contestant& contestant, const DemoTask& task,
                                        Index bits, const FitContext& context);

}  // namespace structhash::cli
