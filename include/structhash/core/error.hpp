#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// One exception type for the whole project; its code says what kind of problem it was.
namespace structhash {

/// The values are the exit codes of the command line.
enum class Errc {
  internal = 1,        // a bug of structhash
  usage = 2,           // a wrong argument or option
  bad_data = 3,        // a readable input with invalid content
  corrupt_file = 4,    // a damaged or unsupported file
  io = 5,              // open, read, write, rename failed
  interrupted = 6,     // stopped by the user; a checkpoint is written if one was requested
  solver_failure = 7,  // the linear programme could not be solved
};

class Error : public std::runtime_error {
 public:
  Error(Errc code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Errc code() const noexcept { return code_; }

 private:
  Errc code_;
};

/// A GPU, its driver or its compiler is missing, too old, too small or failed: Errc::usage, which
/// the device "cpu" avoids.
class DeviceError : public Error {
 public:
  explicit DeviceError(const std::string& message) : Error(Errc::usage, message) {}
};

/// Throws Errc::usage unless the condition holds: for arguments at the public boundary.
/// The message names the argument and says what to do.
void require(bool condition, std::string_view message);

[[noreturn]] void fail(Errc code, const std::string& message);

}  // namespace structhash
