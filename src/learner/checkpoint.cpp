#include "learner/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/fingerprint.hpp"
#include "learner/checkpoint_io.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

using SortedJson = nlohmann::json;

/// The rows of a matrix in a range.
template <typename T>
std::span<const T> rows_of(const Matrix<T>& x, RowRange rows) {
  return {x.data() + rows.begin * x.cols(), static_cast<std::size_t>(rows.size() * x.cols())};
}

/// Of one shard, the same in any process: its rows are numbered from 0.
std::string fingerprint(const TrainingSet& data, RowRange rows) {
  Fingerprint sum;
  const std::vector<Index> shape{rows.size(), data.x.cols(), data.labels.multi.cols()};
  sum.add(std::span(shape));
  sum.add(rows_of(data.x, {rows.begin, std::min(rows.end, data.x.rows())}));
  if (data.two_views()) {
    sum.add(rows_of(data.queries, {0, data.queries.rows()}));
  }
  const std::span classes(data.labels.classes);
  sum.add(classes.empty() ? classes
                          : classes.subspan(static_cast<std::size_t>(rows.begin),
                                            static_cast<std::size_t>(rows.size())));
  sum.add(data.labels.is_multi() ? rows_of(data.labels.multi, rows)
                                 : std::span<const std::uint8_t>());
  const auto add_rows = [&](std::vector<Index> items) {
    std::ranges::for_each(items, [&](Index& item) { item -= rows.begin; });
    sum.add(std::span<const Index>(items));
  };
  for (const RelevanceList& list : data.lists) {
    if (list.query >= rows.begin && list.query < rows.end) {
      add_rows({list.query});
      add_rows(list.relevant);
      add_rows(list.irrelevant);
      add_rows(list.further);
      sum.add(std::span(&list.weight, 1));
    }
  }
  return sum.text();
}

/// Of the shards of all processes, in their order.
std::string fingerprint(const TrainingSet& data, const Shards& shards) {
  std::string own;
  for (Index shard = 0; shard < shards.count(); ++shard) {
    own += fingerprint(data, shards.rows(shard));
  }
  if (!shards.cut()) {
    return own;
  }
  std::string all;
  for (const std::string& part : shards.gather(own)) {
    all += part;
  }
  Fingerprint sum;
  sum.add(std::span<const char>(all));
  return sum.text();
}

std::string option_name(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

/// "ridge is 0.1 there and 0.2 here", for the first option that differs; empty if none does.  More
/// bits here are no difference, because column generation finds the same first bits for any number
/// of them; but trials of `tune` depend on the number.
std::string first_difference(const std::string& there, const std::string& here) {
  SortedJson theirs = SortedJson::parse(there);
  const SortedJson ours = SortedJson::parse(here);
  if (ours["tune"] != true && theirs["bits"] < ours["bits"]) {
    theirs["bits"] = ours["bits"];
  }
  for (const auto& [name, value] : ours.items()) {
    if (theirs.contains(name) && theirs[name] != value) {
      return fmt::format(
          "{} is {} there and {} here{}", option_name(name), theirs[name].dump(), value.dump(),
          name == "bits" && ours["tune"] == true ? ", which changes its trials" : "");
    }
  }
  for (const auto& [name, value] : ours.items()) {
    if (!theirs.contains(name)) {
      return fmt::format("{} is not given there and {} here", option_name(name), value.dump());
    }
  }
  return theirs == ours ? "" : "it has other options";
}

void require_same(const std::string& path, const TrainingIdentity& there,
                  const TrainingIdentity& here) {
  std::string difference = first_difference(there.options, here.options);
  if (difference.empty() && there.data != here.data) {
    difference = "features, labels or lists are not the same";
  }
  if (!difference.empty()) {
    fail(Errc::bad_data,
         fmt::format("{} is the checkpoint of another training: {}; use the options and files it "
                     "was started with, use another --checkpoint, or remove it to start again",
                     path, difference));
  }
}

/// All processes must continue from the same bit: the file exists for all of them or for none.
void require_seen_by_all(const std::string& path, bool exists, const Shards& shards) {
  const std::vector<std::string> seen = shards.gather(exists ? "there" : "missing");
  for (std::size_t rank = 1; rank < seen.size(); ++rank) {
    if (seen[rank] != seen[0]) {
      fail(Errc::bad_data,
           fmt::format("the checkpoint {} is {} for process 0 and {} for process {}; keep it in a "
                       "folder that all machines share",
                       path, seen[0], seen[rank], rank));
    }
  }
}

}  // namespace

TrainingIdentity identity_of(const TrainingSet& data, const Shards& shards,
                             const StructHashParams& params, Seed seed) {
  SortedJson options = to_json(kStructHashOptions, params);
  options["seed"] = seed.value;
  if (shards.cut()) {
    options["shards"] = shards.total();
  }
  return {.options = options.dump(),
          .data = fingerprint(data, shards),
          .rows = shards.cut() ? 0 : data.rows()};
}

Checkpoint::Checkpoint(std::string path, TrainingIdentity identity, const Shards& shards)
    : path_(std::move(path)),
      identity_(std::move(identity)),
      writes_(shards.first_process()),
      holds_signs_(!shards.cut()) {
  const bool exists = std::filesystem::exists(path_);
  require_seen_by_all(path_, exists, shards);
  if (!exists) {
    write();  // a folder that cannot be written to is an error now, not after the first bit
    return;
  }
  const Container file(path_, kCheckpointKind);
  require_same(path_, load_identity(file), identity_);
  state_ = load_state(file, identity_.rows);
}

std::optional<std::vector<double>> Checkpoint::trial(const Candidate& candidate, Index bits) const {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find_if(state_.trials, [&](const FinishedTrial& trial) {
    return trial.candidate == candidate && trial.bits == bits;
  });
  return found == state_.trials.end() ? std::nullopt : std::optional(found->scores);
}

void Checkpoint::add(FinishedTrial trial) {
  const std::scoped_lock lock(mutex_);
  state_.trials.push_back(std::move(trial));
  write();
}

const LearnerState* Checkpoint::learner() const {
  return state_.learner ? &*state_.learner : nullptr;
}

void Checkpoint::set(LearnerState learner) {
  const std::scoped_lock lock(mutex_);
  if (!holds_signs_) {  // every process computes those of its rows
    std::ranges::for_each(learner.code.bits, [](LearnedBit& bit) { bit.signs.clear(); });
  }
  state_.learner = std::move(learner);
  write();
}

void Checkpoint::write() const {
  if (!writes_) {
    return;
  }
  save_state(state_, identity_, path_);
}

}  // namespace structhash
