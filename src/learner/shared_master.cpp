#include "learner/shared_master.hpp"

#include <cstring>
#include <string>

namespace structhash {
namespace {

std::string to_bytes(const MasterSolution& solution) {
  std::vector<double> numbers{solution.slack, solution.objective,
                              static_cast<double>(solution.weights.size())};
  numbers.insert(numbers.end(), solution.weights.begin(), solution.weights.end());
  numbers.insert(numbers.end(), solution.duals.begin(), solution.duals.end());
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}

MasterSolution from_bytes(const std::string& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  const auto weights = numbers.begin() + 3;
  const auto duals = weights + static_cast<std::ptrdiff_t>(numbers[2]);
  return {.weights = {weights, duals},
          .slack = numbers[0],
          .duals = {duals, numbers.end()},
          .objective = numbers[1]};
}

class SharedMaster final : public MasterProblem {
 public:
  SharedMaster(double trade_off, Communicator& processes) : processes_(processes) {
    if (processes.rank() == 0) {
      problem_ = make_clp_master(trade_off);
    }
  }

  void add_bit(std::span<const double> plane_coefficients) override {
    if (problem_) {
      problem_->add_bit(plane_coefficients);
    }
  }
  void add_plane(std::span<const double> bit_coefficients, double loss) override {
    if (problem_) {
      problem_->add_plane(bit_coefficients, loss);
    }
  }
  void drop_planes(std::span<const Index> planes) override {
    if (problem_) {
      problem_->drop_planes(planes);
    }
  }
  MasterSolution solve() override {
    const std::string own = problem_ ? to_bytes(problem_->solve()) : std::string();
    return from_bytes(processes_.gather(own)[0]);
  }

 private:
  Communicator& processes_;
  std::unique_ptr<MasterProblem> problem_;  // on the first process alone
};

}  // namespace

std::unique_ptr<MasterProblem> make_shared_master(double trade_off, Communicator* processes) {
  if (processes == nullptr) {
    return make_clp_master(trade_off);
  }
  return std::make_unique<SharedMaster>(trade_off, *processes);
}

}  // namespace structhash
