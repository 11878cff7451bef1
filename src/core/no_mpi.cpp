#include "core/communicator.hpp"
#include "core/started_by_mpirun.hpp"
#include "structhash/core/error.hpp"

/// Compiled without STRUCTHASH_MPI; with it, mpi.cpp takes its place.
namespace structhash {

std::unique_ptr<Communicator> make_communicator() {
  require(
      !started_with_others(),
      "this structhash was built without MPI, so every process would do the whole job; build it "
      "with -DSTRUCTHASH_MPI=ON, or start it without mpirun");
  return make_single_process();
}

}  // namespace structhash
