#include "cli/command.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace structhash::test {
namespace {

/// In the child: becomes the command under test, or ends with 127.
[[noreturn]] void become_command(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& environment) {
  for (const std::string& entry : environment) {
    const auto equals = entry.find('=');
    setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
  }
  std::vector<std::string> words{STRUCTHASH_COMMAND};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  execv(pointers.front(), pointers.data());
  _exit(127);
}

int wait_for(pid_t process) {
  int status = 0;
  if (waitpid(process, &status, 0) != process) {
    throw std::runtime_error("waitpid failed");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void redirect(int stream, const std::string& path) {
  const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  dup2(file, stream);
  close(file);
}

}  // namespace

RunningCommand::RunningCommand(const std::vector<std::string>& arguments,
                               const std::vector<std::string>& environment, const std::string& out)
    : process_(fork()) {
  if (process_ == 0) {
    redirect(STDOUT_FILENO, out.empty() ? streams_.file("out") : out);
    redirect(STDERR_FILENO, streams_.file("err"));
    become_command(arguments, environment);
  }
}

void RunningCommand::send(int signal) const {
  kill(process_, signal);
}

std::string RunningCommand::err_so_far() const {
  return std::filesystem::exists(streams_.file("err")) ? read_bytes(streams_.file("err")) : "";
}

Outcome RunningCommand::finish() {
  const int exit_code = wait_for(process_);
  const bool collected = std::filesystem::exists(streams_.file("out"));
  return {exit_code, collected ? read_bytes(streams_.file("out")) : "",
          read_bytes(streams_.file("err"))};
}

const char* command_path() {
  return STRUCTHASH_COMMAND;
}

Outcome run(const std::vector<std::string>& arguments,
            const std::vector<std::string>& environment) {
  return RunningCommand(arguments, environment).finish();
}

Outcome run_with_stdout(const std::string& out, const std::vector<std::string>& arguments) {
  return RunningCommand(arguments, {}, out).finish();
}

Outcome run_on_terminal(const std::vector<std::string>& arguments,
                        const std::vector<std::string>& environment) {
  int terminal = -1;
  const pid_t process = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (process == 0) {
    become_command(arguments, environment);
  }
  Outcome outcome;
  char buffer[4096];
  // Reading ends with an error (EIO) when the other side of the terminal is closed.
  for (ssize_t count = 0; (count = read(terminal, buffer, sizeof buffer)) > 0;) {
    outcome.out.append(buffer, static_cast<std::size_t>(count));
  }
  close(terminal);
  outcome.exit_code = wait_for(process);
  return outcome;
}

}  // namespace structhash::test
