#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>

/// Detects from the environment whether mpirun started this process.
namespace structhash {

/// Variables that Open MPI, other PMIx launchers and MPICH set in every process they start.
inline bool started_by_mpirun() {
  constexpr std::array kNames{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"};
  return std::ranges::any_of(kNames, [](const char* name) { return std::getenv(name) != nullptr; });
}

/// Variables of Open MPI, MPICH and Slurm's srun that hold the number of processes.
inline bool started_with_others() {
  constexpr std::array kNames{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
  return std::ranges::any_of(kNames, [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && std::strtol(value, nullptr, 10) > 1;
  });
}

}  // namespace structhash
