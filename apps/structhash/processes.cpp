#include "processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

namespace structhash::cli {
namespace {

/// An error that all processes throw; only the first one reports it.
class SharedError : public Error {
  using Error::Error;
};

[[noreturn]] void fail_for_all(std::size_t rank, std::size_t other, const std::string& what,
                               const std::string& found, const std::string& expected) {
  throw SharedError(Errc::bad_data,
                    fmt::format("process {} has different {} than process {}: {} instead of {}; "
                                "all need the same files, options and version of structhash",
                                rank, what, other, found, expected));
}

Errc code_of(const std::exception& error) {
  if (const auto* own = dynamic_cast<const Error*>(&error)) {
    return own->code();
  }
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? Errc::io : Errc::internal;
}

}  // namespace

void run_on_all(ColorChoice color, const std::function<void(Communicator& processes)>& command) {
  const auto processes = make_communicator();
  try {
    command(*processes);
  } catch (const SharedError&) {
    if (processes->rank() == 0) {
      throw;
    }
  } catch (const std::exception& error) {
    if (processes->size() == 1) {
      throw;
    }
    // The others would wait for this process for ever.
    print_error(
        fmt::format("process {} of {}: {}", processes->rank(), processes->size(), error.what()),
        color);
    processes->end_all(static_cast<int>(code_of(error)));
  }
}

void on_each(Communicator& processes, const std::function<void()>& work) {
  if (processes.size() == 1) {
    work();
    return;
  }
  std::string problem;  // exit code and message; empty: none
  try {
    work();
  } catch (const std::exception& error) {
    problem = fmt::format("{}{}", static_cast<char>('0' + static_cast<int>(code_of(error))),
                          error.what());
  }
  const std::vector<std::string> texts = processes.gather(problem);
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    if (!texts[rank].empty()) {
      const std::string where = rank == 0 ? "" : fmt::format("process {}: ", rank);
      throw SharedError(static_cast<Errc>(texts[rank][0] - '0'), where + texts[rank].substr(1));
    }
  }
}

void require_agreement(Communicator& processes, const std::vector<SharedValue>& values) {
  for (const SharedValue& value : values) {
    const std::vector<std::string> texts = processes.gather(value.value);
    for (std::size_t rank = 1; rank < texts.size(); ++rank) {
      if (texts[rank] != texts[0]) {
        fail_for_all(rank, 0, value.what, texts[rank], texts[0]);
      }
    }
  }
}

void require_neighbours_agree(Communicator& processes, const NeighbourData& seen, int working) {
  const std::vector<std::string> own = processes.gather(seen.own);
  const std::vector<std::string> next = processes.gather(seen.next);
  const auto last = static_cast<std::size_t>(working) - 1;
  for (std::size_t rank = 1; rank < own.size(); ++rank) {
    const std::size_t other = std::min(rank - 1, last);
    const std::string& expected = rank <= last ? next[other] : own[other];
    if (own[rank] != expected) {
      fail_for_all(rank, other, seen.what, own[rank], expected);
    }
  }
  if (next[last] != own[0]) {
    fail_for_all(last, 0, seen.what, next[last], own[0]);
  }
}

double sum_of(Communicator& processes, double own) {
  double total = 0.0;
  for (const std::string& text : processes.gather(fmt::format("{}", own))) {
    total += std::stod(text);
  }
  return total;
}

}  // namespace structhash::cli
