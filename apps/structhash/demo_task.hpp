#pragma once

#include <string>
#include <vector>

#include "evaluation/retrieval_task.hpp"

/// The comparison of `structhash demo`: methods on the embedded digits, with rows as in
/// experiments.
namespace structhash::cli {

/// The digits, split once for all methods; rows that are not queries are training set and database.
RetrievalTask prepare_demo(Seed seed, int threads);

/// A method and its kind of bit functions; empty: the default of the method.
struct MethodVariant {
  const MethodEntry* method = nullptr;
  std::string functions{};
};

/// The named methods, all without names; StructHash with linear and with kernel functions.
/// Throws Errc::usage for an unknown name.
std::vector<MethodVariant> method_variants(const std::vector<std::string>& names);

/// One row per distance: a model with bit weights is also evaluated without them.
std::vector<DetailedRow> run_variant(const MethodVariant& variant, const RetrievalTask& task,
                                     Index bits, const FitContext& context);

}  // namespace structhash::cli
