#pragma once

#include <memory>

#include "core/communicator.hpp"
#include "learner/master_problem.hpp"

/// One linear programme for several processes.
namespace structhash {

/// The first process solves it and sends the solution to the others, so that all continue from the
/// same bytes.  processes: nullptr for this one alone, without any overhead.
std::unique_ptr<MasterProblem> make_shared_master(double trade_off, Communicator* processes);

}  // namespace structhash
