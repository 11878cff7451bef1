#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/communicator.hpp"
#include "structhash/core/error.hpp"
#include "terminal.hpp"

/// Commands that several processes of mpirun run together: errors, and checks that inputs agree.
namespace structhash::cli {

/// Runs the command on every process.  An error in one ends all, with a message that names it.
void run_on_all(ColorChoice color, const std::function<void(Communicator& processes)>& command);

/// Runs independent work on every process.  If it fails on any, all processes throw the error of
/// the first that failed, with its name.
void on_each(Communicator& processes, const std::function<void()>& work);

/// A value that must be the same on all processes.
struct SharedValue {
  std::string what;
  std::string value;
};

/// Throws on all processes an error that names the first one that differs.
void require_agreement(Communicator& processes, const std::vector<SharedValue>& values);

/// Fingerprints of the data of a process and of its neighbour.
struct NeighbourData {
  std::string what;
  std::string own;  // of the data of this process
  std::string
      next;  // of the data of the next process, as read here; after the last comes the first
};

/// Throws on all processes unless each of the first `working` ones agrees with its neighbour; the
/// others must agree with the last of these.
void require_neighbours_agree(Communicator& processes, const NeighbourData& seen, int working);

/// The sum of one number of every process.
double sum_of(Communicator& processes, double own);

}  // namespace structhash::cli
