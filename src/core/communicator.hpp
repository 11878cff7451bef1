#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The processes that share one job (docs/adr/0017).  All of them make the same calls in the same
/// order, on one thread each.
namespace structhash {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;  // this process: 0..size()-1
  virtual int size() const = 0;
  /// The text of every process, in order of rank; every process gets all texts.
  virtual std::vector<std::string> gather(std::string_view own) = 0;
  /// Adds terms in order of rank: `total` arrives from the process before, and `add` adds the terms
  /// of this process.  Rank 0 starts from its own `total`.  Every process gets the final total.
  virtual void sum_in_order(std::span<double> total, const std::function<void()>& add) = 0;
  /// From now on only the first `count` processes (1 to all) work; false: this one is not among
  /// them and must make no more calls.
  virtual bool keep_first(int count) = 0;
  /// Bytes that this process has sent to others so far.
  virtual std::int64_t bytes_sent() const = 0;
  /// Ends all processes at once, after an error in one of them.
  virtual void end_all(int exit_code) = 0;
};

/// This process alone: every call returns its own input.
std::unique_ptr<Communicator> make_single_process();

/// The processes that mpirun started together with this one, or this one alone.  Throws Errc::usage
/// if mpirun started several and the library was built without STRUCTHASH_MPI: each process would
/// do the whole job.
std::unique_ptr<Communicator> make_communicator();

}  // namespace structhash
