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

}  // namespace structhash
