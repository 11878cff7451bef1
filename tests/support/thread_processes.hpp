#pragma once

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/communicator.hpp"

/// Processes that are threads of the test: what they say to each other is what processes would.
namespace structhash::test {

/// Everybody waits for everybody, as often as they like.
class Meeting {
 public:
  explicit Meeting(int size) : size_(size) {}
  void wait() {
    std::unique_lock lock(mutex_);
    const int round = round_;
    if (++waiting_ == size_) {
      waiting_ = 0;
      ++round_;
      all_here_.notify_all();
      return;
    }
    all_here_.wait(lock, [&] { return round_ != round; });
  }

 private:
  int size_;
  int waiting_ = 0;
  int round_ = 0;
  std::mutex mutex_;
  std::condition_variable all_here_;
};

struct Table {
  explicit Table(int size) : meeting(size), said(static_cast<std::size_t>(size)) {}
  Meeting meeting;
  std::vector<std::string> said;
  std::vector<double> total;
};

class ThreadProcess final : public Communicator {
 public:
  ThreadProcess(int rank, int size, Table& table) : rank_(rank), size_(size), table_(table) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::vector<std::string> gather(std::string_view own) override {
    table_.said[static_cast<std::size_t>(rank_)] = own;
    table_.meeting.wait();
    std::vector<std::string> all = table_.said;
    table_.meeting.wait();
    bytes_sent_ += static_cast<std::int64_t>(own.size()) * (size_ - 1);
    return all;
  }

  void sum_in_order(std::span<double> total, const std::function<void()>& add) override {
    for (int turn = 0; turn < size_; ++turn) {
      if (turn == rank_) {
        if (rank_ > 0) {
          std::ranges::copy(table_.total, total.begin());
        }
        add();
        table_.total.assign(total.begin(), total.end());
      }
      table_.meeting.wait();
    }
    std::ranges::copy(table_.total, total.begin());
    table_.meeting.wait();
    bytes_sent_ += static_cast<std::int64_t>(total.size_bytes());
  }

  bool keep_first(int /*count*/) override { return true; }
  std::int64_t bytes_sent() const override { return bytes_sent_; }
  void end_all(int /*exit_code*/) override { std::terminate(); }

 private:
  int rank_;
  int size_;
  Table& table_;
  std::int64_t bytes_sent_ = 0;
};

/// Runs `work` as so many processes; the first exception is thrown when all are done.
inline void as_processes(int size, const std::function<void(Communicator&)>& work) {
  Table table(size);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(size));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank) {
      threads.emplace_back([&, rank] {
        ThreadProcess process(rank, size, table);
        try {
          work(process);
        } catch (...) {
          errors[static_cast<std::size_t>(rank)] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& error : errors) {
    if (error) {
      std::rethrow_exception(error);
    }
  }
}

}  // namespace structhash::test
