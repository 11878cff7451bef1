#include "core/communicator.hpp"

#include <cstdlib>

namespace structhash {
namespace {

class SingleProcess final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::vector<std::string> gather(std::string_view own) override { return {std::string(own)}; }
  void sum_in_order(std::span<double> /*total*/, const std::function<void()>& add) override {
    add();
  }
  bool keep_first(int /*count*/) override { return true; }
  std::int64_t bytes_sent() const override { return 0; }
  void end_all(int exit_code) override { std::exit(exit_code); }
};

}  // namespace

std::unique_ptr<Communicator> make_single_process() {
  return std::make_unique<SingleProcess>();
}

}  // namespace structhash
