#pragma once

#include <memory>

#include "learner/master_problem.hpp"

/// A master problem that records all calls, so that another one can replay them.
namespace structhash {

class RecordedMaster final : public MasterProblem {
 public:
  explicit RecordedMaster(std::unique_ptr<MasterProblem> inner);

  void add_bit(std::span<const double> plane_coefficients) override;
  void add_plane(std::span<const double> bit_coefficients, double loss) override;
  void drop_planes(std::span<const Index> planes) override;
  MasterSolution solve() override;

  const MasterJournal& journal() const { return journal_; }
  /// Replays a journal into a new problem; returns its last solution.  Throws Errc::corrupt_file if
  /// the journal is not valid.
  MasterSolution replay(const MasterJournal& journal);

 private:
  void record(MasterJournal::Step step, std::int64_t count);

  std::unique_ptr<MasterProblem> inner_;
  MasterJournal journal_;
};

}  // namespace structhash
