#pragma once

#include <functional>
#include <string>
#include <vector>

#include "evaluation/retrieval_task.hpp"

/// The comparisons of `structhash demo`: methods on the embedded data sets, with rows as in
/// experiments.
namespace structhash::cli {

/// The digits, split once for all methods; rows that are not queries are training set and database.
RetrievalTask digits_task(Seed seed);

/// The questions: training rows, queries and database have no row in common.
RetrievalTask questions_task(Seed seed);

/// One method on one data set.
struct DemoJob {
  /// alone: before the others, on all threads; first: first of those that share the threads.
  enum class Turn { alone, first, any };

  std::string name;
  Turn turn = Turn::any;
  std::function<std::vector<DetailedRow>(const FitContext&)> run;
};

/// The named methods, all without names, on the digits; StructHash with linear and with kernel
/// functions.  A job has a row for every distance.  Throws Errc::usage for an unknown name.
std::vector<DemoJob> digits_jobs(const RetrievalTask& task, const std::vector<std::string>& names,
                                 Index bits);

/// The float vectors and what needs no labels, then the named methods, StructHash without names,
/// with all, half and a quarter of the bits, by the distance that they are meant for.
std::vector<DemoJob> questions_jobs(const RetrievalTask& task,
                                    const std::vector<std::string>& names, Index bits);

/// The rows of the jobs, in their order.  Jobs that are not alone run on one thread each, as many
/// at the same time as there are threads; `on_done(jobs)` is told how many are done.
std::vector<DetailedRow> run_jobs(const std::vector<DemoJob>& jobs, Seed seed, Threads threads,
                                  const std::function<void(Index jobs)>& on_done);

}  // namespace structhash::cli
