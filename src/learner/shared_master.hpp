#pragma once

#include <memory>

#include "core/communicator.hpp"
#include "learner/master_problem.hpp"

/// One linear programme for several processes.
namespace structhash {

/// The first process solves it and tells the others the solution, so that all go on from the same
/// bytes.  processes: nullptr for this one alone, which gets the problem as it is.
std::unique_ptr<MasterProblem> make_shared_master(double trade_off, Communicator* processes);

}  // namespace structhash
