#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>

#include "core/communicator.hpp"
#include "core/started_by_mpirun.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/types.hpp"

/// The only file that uses MPI.
namespace structhash {
namespace {

constexpr std::size_t kMaxBatch = std::size_t{1} << 24U;  // numbers in a message: 128 MiB

void ensure(int status, const char* call) {
  if (status != MPI_SUCCESS) {
    fail(Errc::io, fmt::format("{} failed with status {}: a process has ended or the network "
                               "failed",
                               call, status));
  }
}

class MpiProcesses final : public Communicator {
 public:
  MpiProcesses() {
    int provided = 0;
    ensure(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    require(provided >= MPI_THREAD_FUNNELED, "this MPI library does not support threads");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  MpiProcesses(const MpiProcesses&) = delete;
  MpiProcesses& operator=(const MpiProcesses&) = delete;
  ~MpiProcesses() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::vector<std::string> gather(std::string_view own) override {
    const auto processes = static_cast<std::size_t>(size_);
    const int length = to_int(own.size());
    std::vector<int> lengths(processes);
    ensure(MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, working_),
           "MPI_Allgather");
    std::vector<int> starts(processes, 0);
    for (std::size_t i = 1; i < processes; ++i) {
      starts[i] = to_int(static_cast<std::size_t>(starts[i - 1]) +
                         static_cast<std::size_t>(lengths[i - 1]));
    }
    std::string all(
        static_cast<std::size_t>(starts.back()) + static_cast<std::size_t>(lengths.back()), '\0');
    ensure(MPI_Allgatherv(own.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(),
                          MPI_CHAR, working_),
           "MPI_Allgatherv");
    bytes_sent_ += (std::int64_t{length} + std::int64_t{sizeof length}) * (size_ - 1);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < processes; ++i) {
      texts.push_back(
          all.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
    }
    return texts;
  }

  void sum_in_order(std::span<double> total, const std::function<void()>& add) override {
    const bool last = rank_ + 1 == size_;
    if (rank_ > 0) {
      in_pieces(total, [&](double* numbers, int count) {
        ensure(MPI_Recv(numbers, count, MPI_DOUBLE, rank_ - 1, 0, working_, MPI_STATUS_IGNORE),
               "MPI_Recv");
      });
    }
    add();
    if (!last) {
      in_pieces(total, [&](double* numbers, int count) {
        ensure(MPI_Send(numbers, count, MPI_DOUBLE, rank_ + 1, 0, working_), "MPI_Send");
      });
    }
    in_pieces(total, [&](double* numbers, int count) {
      ensure(MPI_Bcast(numbers, count, MPI_DOUBLE, size_ - 1, working_), "MPI_Bcast");
    });
    const auto bytes = static_cast<std::int64_t>(total.size_bytes());
    bytes_sent_ += last ? bytes * (size_ - 1) : bytes;
  }

  bool keep_first(int count) override {
    const bool works = rank_ < count;
    ensure(MPI_Comm_split(MPI_COMM_WORLD, works ? 0 : 1, rank_, &working_), "MPI_Comm_split");
    MPI_Comm_size(working_, &size_);
    return works;
  }

  std::int64_t bytes_sent() const override { return bytes_sent_; }
  void end_all(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }

 private:
  static int to_int(std::size_t size) {
    require(size <= INT32_MAX, "a message between processes is larger than 2 GiB; use fewer rows");
    return static_cast<int>(size);
  }

  template <typename Transfer>
  static void in_pieces(std::span<double> numbers, const Transfer& transfer) {
    for (std::size_t begin = 0; begin < numbers.size(); begin += kMaxBatch) {
      transfer(numbers.data() + begin, to_int(std::min(kMaxBatch, numbers.size() - begin)));
    }
  }

  MPI_Comm working_ = MPI_COMM_WORLD;
  int rank_ = 0;
  int size_ = 1;
  std::int64_t bytes_sent_ = 0;
};

}  // namespace

/// A process that mpirun did not start does not initialise MPI.
std::unique_ptr<Communicator> make_communicator() {
  if (!started_by_mpirun()) {
    return make_single_process();
  }
  return std::make_unique<MpiProcesses>();
}

}  // namespace structhash
