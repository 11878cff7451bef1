#include "learner/recorded_master.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Reads a journal step by step; throws if no problem could have written it.
class JournalReader {
 public:
  explicit JournalReader(const MasterJournal& journal)
      : steps_(journal.steps), numbers_(journal.numbers) {}

  bool at_end() const { return steps_.empty(); }

  std::int64_t next() { return take(steps_, 1)[0]; }

  /// A count of at most `max`.
  std::size_t count(std::size_t max) {
    const std::int64_t value = next();
    check(value >= 0 && std::cmp_less_equal(value, max));
    return static_cast<std::size_t>(value);
  }

  std::span<const double> numbers(std::size_t count) { return take(numbers_, count); }

  std::vector<Index> planes(std::size_t count, std::size_t all) {
    const auto taken = take(steps_, count);
    const bool ascending = std::ranges::adjacent_find(taken, std::greater_equal{}) == taken.end();
    check(ascending && std::ranges::all_of(taken, [&](std::int64_t plane) {
            return plane >= 0 && std::cmp_less(plane, all);
          }));
    return {taken.begin(), taken.end()};
  }

  static void check(bool condition) {
    if (!condition) {
      fail(Errc::corrupt_file,
           "the linear programme of a checkpoint is not valid; remove the checkpoint and start "
           "again");
    }
  }

 private:
  template <typename T>
  static std::span<const T> take(std::span<const T>& from, std::size_t count) {
    check(count <= from.size());
    const auto taken = from.first(count);
    from = from.subspan(count);
    return taken;
  }

  std::span<const std::int64_t> steps_;
  std::span<const double> numbers_;
};

}  // namespace

RecordedMaster::RecordedMaster(std::unique_ptr<MasterProblem> inner) : inner_(std::move(inner)) {}

void RecordedMaster::add_bit(std::span<const double> plane_coefficients) {
  inner_->add_bit(plane_coefficients);
  record(MasterJournal::add_bit, std::ssize(plane_coefficients));
  journal_.numbers.insert(journal_.numbers.end(), plane_coefficients.begin(),
                          plane_coefficients.end());
}

void RecordedMaster::add_plane(std::span<const double> bit_coefficients, double loss) {
  inner_->add_plane(bit_coefficients, loss);
  record(MasterJournal::add_plane, std::ssize(bit_coefficients));
  journal_.numbers.insert(journal_.numbers.end(), bit_coefficients.begin(), bit_coefficients.end());
  journal_.numbers.push_back(loss);
}

void RecordedMaster::drop_planes(std::span<const Index> planes) {
  inner_->drop_planes(planes);
  record(MasterJournal::drop_planes, std::ssize(planes));
  journal_.steps.insert(journal_.steps.end(), planes.begin(), planes.end());
}

MasterSolution RecordedMaster::solve() {
  record(MasterJournal::solve, 0);
  return inner_->solve();
}

MasterSolution RecordedMaster::replay(const MasterJournal& journal) {
  JournalReader reader(journal);
  MasterSolution last;
  std::size_t bits = 0;
  std::size_t planes = 0;
  while (!reader.at_end()) {
    switch (reader.next()) {
      case MasterJournal::add_bit:
        add_bit(reader.numbers(reader.count(planes)));
        ++bits;
        break;
      case MasterJournal::add_plane: {
        const auto coefficients = reader.numbers(reader.count(bits));
        add_plane(coefficients, reader.numbers(1)[0]);
        ++planes;
        break;
      }
      case MasterJournal::drop_planes: {
        const std::size_t count = reader.count(planes);
        drop_planes(reader.planes(count, planes));
        planes -= count;
        break;
      }
      case MasterJournal::solve:
        JournalReader::check(reader.count(0) == 0);
        last = solve();
        break;
      default:
        JournalReader::check(false);
    }
  }
  return last;
}

void RecordedMaster::record(MasterJournal::Step step, std::int64_t count) {
  journal_.steps.push_back(step);
  journal_.steps.push_back(count);
}

}  // namespace structhash
