// No command touches the network: a process that asks for a socket is killed, and none is.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <functional>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"

namespace structhash::test {
namespace {

/// From here on this process and all it starts die of SIGSYS when they ask for a socket.
bool forbid_sockets() {
  std::array<sock_filter, 4> program{
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, __NR_socket},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  const sock_fprog filter{.len = program.size(), .filter = program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

constexpr int kNoFilter = 99;

/// Runs `action` in a process without sockets; its value, 128 + a signal, or kNoFilter.
int without_sockets(const std::function<int()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(forbid_sockets() ? action() : kNoFilter);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(NoNetwork, EveryCommandWorksWithoutSockets) {
  const int probe = without_sockets([] { return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 1 : 0; });
  if (probe == kNoFilter) {
    GTEST_SKIP() << "this kernel has no seccomp filters";
  }
  ASSERT_EQ(probe, 128 + SIGSYS) << "the filter must work";
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const std::string model = folder.file("m.shm");
  const std::string codes = folder.file("c.shc");
  const std::vector<std::vector<std::string>> commands{
      {"methods"},
      {"measures"},
      {"data"},
      {"train", "--features", data.features, "--labels", data.labels, "--bits", "8", "--model",
       model},
      {"encode", "--model", model, "--features", data.features, "--codes", codes},
      {"search", "--model", model, "--codes", codes, "--queries", data.features, "--k", "3"},
      {"evaluate", "--model", model, "--features", data.features, "--labels", data.labels,
       "--queries", "9"},
      {"inspect", model},
      {"convert", "--codes", codes, "--to", "hex", "--out", folder.file("c.txt")}};
  for (const auto& command : commands) {
    const int code = without_sockets([&] { return run(command).exit_code % 128; });
    EXPECT_TRUE(code == 0 || (command[0] == "data" && code == 2)) << command[0] << ": " << code;
  }
}

}  // namespace
}  // namespace structhash::test
