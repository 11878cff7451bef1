#include "core/communicator.hpp"
#include "core/started_by_mpirun.hpp"
#include "structhash/core/error.hpp"

/// Without STRUCTHASH_MPI; mpi.cpp stands in its place with it.
namespace structhash {

std::unique_ptr<Communicator> make_communicator() {
  require(!started_with_others(),
          "this structhash was built without MPI, so every process of several would do all of the "
          "work; build it with -DSTRUCTHASH_MPI=ON, or start it without mpirun");
  return make_single_process();
}

}  // namespace structhash
