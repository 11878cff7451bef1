#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>

/// How a process knows that it was started together with others.
namespace structhash {

/// Variables that Open MPI, other users of PMIx, and MPICH set in every process they start.
inline bool started_by_mpirun() {
  constexpr std::array kNames{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"};
  return std::ranges::any_of(kNames, [](const char* name) { return std::getenv(name) != nullptr; });
}

/// Likewise of Open MPI, MPICH and Slurm's srun, which say how many there are.
inline bool started_with_others() {
  constexpr std::array kNames{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
  return std::ranges::any_of(kNames, [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && std::strtol(value, nullptr, 10) > 1;
  });
}

}  // namespace structhash
