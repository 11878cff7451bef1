#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "command.hpp"
#include "structhash/hashing/model.hpp"

/// --distance, the same for every command that compares codes.
namespace structhash::cli {

/// How a query is compared with codes.  The costs of a differing bit: those of adaptive_values, the
/// decision value of the query times the bit weight, the bit weight, 1.
enum class QueryDistance { adaptive, asymmetric, weighted, hamming };

std::string_view name_of(QueryDistance distance);
/// For sentences: "weighted Hamming".
std::string_view long_name_of(QueryDistance distance);

void add_distance_option(Command& command, std::optional<QueryDistance>& distance);
/// For commands that store codes: weighted or hamming.
void add_stored_distance_option(Command& command, std::optional<QueryDistance>& distance);

/// The given distance; by default the first of adaptive, weighted and hamming that the model has.
/// Throws Errc::usage if the model does not have it; `path` names the model in errors.
QueryDistance distance_for(const HashModel& model, const std::string& path,
                           std::optional<QueryDistance> given);

/// Whether queries are compared by real values, one per bit.
bool uses_values(QueryDistance distance);

/// Rows x bits: a bit that differs from the sign of its value costs the magnitude of the value.
/// For distances that use values.
Matrix<float> query_values(const HashModel& model, QueryDistance distance, const MatrixView& x,
                           int threads);

}  // namespace structhash::cli
