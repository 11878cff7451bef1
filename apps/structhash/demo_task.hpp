#pragma once

#include <string>
#include <vector>

#include "structhash/evaluation/retrieval_task.hpp"

/// The contest of `structhash demo`: methods on the embedded digits, as rows like an experiment's.
namespace structhash::cli {

/// The digits, split once for all methods; what is not a query is training set and database.
RetrievalTask prepare_demo(Seed seed, int threads);

/// A method as the demo runs it; empty functions are the method's default.
struct Contestant {
  const MethodEntry* method = nullptr;
  std::string functions{};
};

/// Those of the table that are named, all if none is; StructHash with linear and with kernel
/// functions.  Throws Errc::usage for a name that is not in the table.
std::vector<Contestant> contestants(const std::vector<std::string>& names);

/// One row per distance: a model with bit weights is also compared without them.
std::vector<DetailedRow> run_contestant(const Contestant& contestant, const RetrievalTask& task,
                                        Index bits, const FitContext& context);

}  // namespace structhash::cli
