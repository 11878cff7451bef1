#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/communicator.hpp"
#include "structhash/core/error.hpp"
#include "terminal.hpp"

/// A command that the processes of mpirun run together: who speaks, and what ends all of them.
namespace structhash::cli {

/// Runs the command on every process.  What fails on one ends all, with an error that names it.
void run_on_all(ColorChoice color, const std::function<void(Communicator& processes)>& command);

/// Does something on every process that none of them needs the others for.  If it fails on any,
/// all of them end in good order with the error of the first, which names it.
void on_each(Communicator& processes, const std::function<void()>& work);

/// Something that must be the same on all processes.
struct Claim {
  std::string what;
  std::string value;
};

/// Ends all processes in good order, with an error that names the first one that differs.
void require_agreement(Communicator& processes, const std::vector<Claim>& claims);

/// Something about the data of every process that its neighbour saw, too.
struct Witnessed {
  std::string what;
  std::string own;   // as this process sees what is its own
  std::string next;  // and what belongs to the process after it; after the last comes the first
};

/// The same for the first `working` processes, each compared with its neighbour; any others see
/// what the last of them does.
void require_witnessed(Communicator& processes, const Witnessed& seen, int working);

/// The sum of one number of every process.
double sum_of(Communicator& processes, double own);

}  // namespace structhash::cli
