#include "learner/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/checksum.hpp"
#include "learner/checkpoint_io.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

using Json = nlohmann::json;

Json or_auto(const std::optional<double>& value) {
  return value ? Json(*value) : Json("auto");
}

Json options_of(const StructHashParams& params, Seed seed) {
  const LearnerParams& learner = params.learner;
  return {{"bits", learner.bits},
          {"measure", params.measure},
          {"auc-share", params.auc_share},
          {"functions", params.functions},
          {"stage-wise", learner.mode == TrainingMode::stage_wise},
          {"bootstrap", uses_bootstrap(params)},
          {"gap", learner.weights.gap},
          {"max-planes", learner.weights.max_planes_per_bit},
          {"idle-bits", learner.weights.idle_bits},
          {"trade-off", or_auto(params.trade_off)},
          {"ridge", or_auto(params.ridge)},
          {"penalty", or_auto(params.penalty)},
          {"width", or_auto(params.width)},
          {"shrinkage", or_auto(params.shrinkage)},
          {"smooth-penalty", params.smooth.penalty},
          {"random-starts", params.smooth.random_starts},
          {"spectral-steps", params.smooth.spectral_steps},
          {"iterations", params.smooth.max_iterations},
          {"tolerance", params.smooth.tolerance},
          {"anchors", params.anchors},
          {"self-response", params.self_response},
          {"validation", params.validation},
          {"seed", seed.value}};
}

class Fingerprint {
 public:
  template <typename T>
  void add(std::span<const T> values) {
    const std::uint64_t count = values.size();
    sum_.add(std::as_bytes(std::span(&count, 1)));  // so that nothing can move to its neighbour
    sum_.add(std::as_bytes(values));
  }
  std::string text() const { return fmt::format("{:016x}", sum_.value()); }

 private:
  RunningChecksum sum_;
};

std::string fingerprint(const TrainingSet& data) {
  Fingerprint sum;
  const auto count = [](Index size) { return static_cast<std::size_t>(size); };
  const std::vector<Index> shape{data.x.rows(), data.x.cols(), data.labels.multi.cols()};
  sum.add(std::span(shape));
  sum.add(std::span(data.x.data(), count(data.x.size())));
  sum.add(std::span(data.labels.classes));
  sum.add(std::span(data.labels.multi.data(), count(data.labels.multi.size())));
  for (const RelevanceList& list : data.lists) {
    sum.add(std::span(&list.query, 1));
    sum.add(std::span(list.relevant));
    sum.add(std::span(list.irrelevant));
    sum.add(std::span(&list.weight, 1));
  }
  return sum.text();
}

/// "bits is 32 there and 64 here", for the first option that differs.
std::string first_difference(const std::string& there, const std::string& here) {
  const Json theirs = Json::parse(there);
  const Json ours = Json::parse(here);
  for (const auto& [name, value] : ours.items()) {
    if (!theirs.contains(name) || theirs[name] != value) {
      return fmt::format("{} is {} there and {} here", name,
                         theirs.contains(name) ? theirs[name].dump() : "not given", value.dump());
    }
  }
  return "it has other options";
}

void require_same(const std::string& path, const TrainingIdentity& there,
                  const TrainingIdentity& here) {
  std::string difference;
  if (there.options != here.options) {
    difference = first_difference(there.options, here.options);
  } else if (there.data != here.data) {
    difference = "features, labels or lists are not the same";
  }
  if (!difference.empty()) {
    fail(Errc::bad_data,
         fmt::format("{} is the checkpoint of another training: {}; give the options and files it "
                     "was begun with, or another --checkpoint, or remove it to begin anew",
                     path, difference));
  }
}

}  // namespace

TrainingIdentity identity_of(const TrainingSet& data, const StructHashParams& params, Seed seed) {
  return {
      .options = options_of(params, seed).dump(), .data = fingerprint(data), .rows = data.x.rows()};
}

Checkpoint::Checkpoint(std::string path, TrainingIdentity identity)
    : path_(std::move(path)), identity_(std::move(identity)) {
  if (!std::filesystem::exists(path_)) {
    write();  // so that a folder one may not write to is an error now, not after the first bit
    return;
  }
  const Container file(path_, kCheckpointKind);
  require_same(path_, load_identity(file), identity_);
  state_ = load_state(file, identity_.rows);
}

std::optional<std::vector<double>> Checkpoint::trial(const ChosenParams& params) const {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(state_.trials, params, &FinishedTrial::params);
  return found == state_.trials.end() ? std::nullopt : std::optional(found->scores);
}

void Checkpoint::keep(FinishedTrial trial) {
  const std::scoped_lock lock(mutex_);
  state_.trials.push_back(std::move(trial));
  write();
}

std::optional<TrialCode> Checkpoint::trial_code() const {
  const std::scoped_lock lock(mutex_);
  return state_.trial_code;
}

void Checkpoint::keep(const TrialCode& code) {
  const std::scoped_lock lock(mutex_);
  state_.trial_code = code;
  write();
}

const LearnerState* Checkpoint::learner() const {
  return state_.learner ? &*state_.learner : nullptr;
}

void Checkpoint::keep(LearnerState learner) {
  const std::scoped_lock lock(mutex_);
  state_.learner = std::move(learner);
  write();
}

void Checkpoint::write() const {
  save_state(state_, identity_, path_);
}

}  // namespace structhash
