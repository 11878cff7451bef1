#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The processes that do one work together (docs/adr/0017).  All of them make the same calls in the
/// same order, on one thread each.
namespace structhash {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;  // this process: 0..size()-1
  virtual int size() const = 0;
  /// What every process says, in the order of their ranks; every process gets all of it.
  virtual std::vector<std::string> gather(std::string_view own) = 0;
  /// A sum whose terms are added in the order of ranks: `total` comes from the process before, and
  /// `add` adds this one's terms to it; rank 0 begins with what it gave.  Every process ends with
  /// the total of the last.
  virtual void sum_in_order(std::span<double> total, const std::function<void()>& add) = 0;
  /// From now on the first `count` processes do the work, at least one and at most all there are;
  /// false: this one is not among them and has nothing more to say.
  virtual bool keep_first(int count) = 0;
  /// Bytes that this process has sent to others so far.
  virtual std::int64_t bytes_sent() const = 0;
  /// Ends all processes at once, this one first: one of them cannot go on.
  virtual void end_all(int exit_code) = 0;
};

/// This process alone: every call is answered from what it was given.
std::unique_ptr<Communicator> make_single_process();

/// The processes that mpirun started together with this one, or this one alone.  Throws Errc::usage
/// if mpirun started several and the library was built without STRUCTHASH_MPI: each would do the
/// whole work.
std::unique_ptr<Communicator> make_communicator();

}  // namespace structhash
