#pragma once

#include <string>
#include <string_view>

#include "learner/checkpoint.hpp"
#include "structhash/core/container.hpp"

/// The state of a training as a StructHash file (docs/format.md).
namespace structhash {

inline constexpr std::string_view kCheckpointKind = "checkpoint";

void save_state(const TrainingState& state, const TrainingIdentity& identity,
                const std::string& path);

/// Throws Errc::bad_data if another version of the code made the file: continuing might train
/// another model.
TrainingIdentity load_identity(const Container& file);
TrainingState load_state(const Container& file, Index rows);

}  // namespace structhash
