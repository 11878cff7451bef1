#pragma once

#include <memory>

#include "learner/master_problem.hpp"

/// A master problem that writes down what it is told, so that another one can be brought to where
/// it stands.
namespace structhash {

class RecordedMaster final : public MasterProblem {
 public:
  explicit RecordedMaster(std::unique_ptr<MasterProblem> inner);

  void add_bit(std::span<const double> plane_coefficients) override;
  void add_plane(std::span<const double> bit_coefficients, double loss) override;
  void drop_planes(std::span<const Index> planes) override;
  MasterSolution solve() override;

  const MasterJournal& journal() const { return journal_; }
  /// Tells a new problem all of a journal; returns its last solution.  Throws Errc::corrupt_file if
  /// the journal makes no sense.
  MasterSolution replay(const MasterJournal& journal);

 private:
  void record(MasterJournal::Step step, std::int64_t count);

  std::unique_ptr<MasterProblem> inner_;
  MasterJournal journal_;
};

}  // namespace structhash
