#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "support/temporary_folder.hpp"

/// Runs the real command as a user would: arguments in, exit code and both streams out.
namespace structhash::test {

struct Outcome {
  int exit_code = -1;  // 128 + signal when it was killed
  std::string out;
  std::string err;
};

/// A started command; `finish` waits for it.
class RunningCommand {
 public:
  /// `environment`: "NAME=value" entries on top of the current ones; `out`: where stdout goes,
  /// empty to collect it.
  explicit RunningCommand(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment = {},
                          const std::string& out = {});
  void send(int signal) const;
  /// What it has written to stderr so far.
  std::string err_so_far() const;
  Outcome finish();

 private:
  TemporaryFolder streams_;
  pid_t process_ = -1;
};

/// Of the command that is tested.
const char* command_path();

Outcome run(const std::vector<std::string>& arguments,
            const std::vector<std::string>& environment = {});

/// With stdout going to a file or device.
Outcome run_with_stdout(const std::string& out, const std::vector<std::string>& arguments);

/// With stdout and stderr on a terminal; both streams arrive in `out`.
Outcome run_on_terminal(const std::vector<std::string>& arguments,
                        const std::vector<std::string>& environment = {});

}  // namespace structhash::test
