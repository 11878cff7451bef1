#include "learner/checkpoint_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/json_fields.hpp"
#include "hashing/sections.hpp"
#include "learner/function_sections.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/version.hpp"

namespace structhash {
namespace {

constexpr std::size_t kTrialColumns = 7;  // the members of Candidate, bits
constexpr std::size_t kLogColumns = 8;    // those of BitLog

void ensure_sizes(const Container& file, bool condition) {
  if (!condition) {
    file.fail_corrupt("the sizes of its sections do not agree");
  }
}

void add_lists(ContainerWriter& file, const std::string& name,
               const std::vector<std::vector<double>>& lists) {
  std::vector<std::int64_t> ends;
  std::vector<double> values;
  for (const std::vector<double>& list : lists) {
    values.insert(values.end(), list.begin(), list.end());
    ends.push_back(std::ssize(values));
  }
  file.add(name + "-ends", std::span<const std::int64_t>(ends));
  file.add(name, std::span<const double>(values));
}

std::vector<std::vector<double>> read_lists(const Container& file, const std::string& name) {
  const auto values = file.array<double>(name);
  std::vector<std::vector<double>> lists;
  std::int64_t begin = 0;
  for (const std::int64_t end : file.array<std::int64_t>(name + "-ends")) {
    ensure_sizes(file, end >= begin && end <= std::ssize(values));
    lists.emplace_back(values.begin() + begin, values.begin() + end);
    begin = end;
  }
  ensure_sizes(file, begin == std::ssize(values));
  return lists;
}

void add_doubles(ContainerWriter& file, std::string_view name, const std::vector<double>& values) {
  file.add(name, std::span<const double>(values));
}

void add_codes(ContainerWriter& file, std::string_view name, const CodeMatrix& codes) {
  file.add(name, codes.words(), static_cast<std::size_t>(codes.words_per_code()));
}

CodeMatrix read_codes(const Container& file, std::string_view name, Index rows, Index bits) {
  const auto words = read_array<std::uint64_t>(file, name);
  ensure_sizes(file, bits >= 1 && std::ssize(words) == rows * ((bits + 63) / 64));
  try {
    return {rows, bits, words};
  } catch (const Error& error) {
    file.fail_corrupt(error.what());
  }
}

void save_trials(ContainerWriter& file, const std::vector<FinishedTrial>& trials) {
  std::vector<double> params;
  std::vector<std::vector<double>> scores;
  for (const FinishedTrial& trial : trials) {
    const Candidate& p = trial.candidate;
    params.insert(params.end(), {p.trade_off, p.ridge, p.penalty, p.width, p.shrinkage, p.dither,
                                 to_double(trial.bits)});
    scores.push_back(trial.scores);
  }
  file.add("trials", std::span<const double>(params), kTrialColumns);
  add_lists(file, "trial-scores", scores);
}

std::vector<FinishedTrial> load_trials(const Container& file) {
  const auto params = file.array<double>("trials");
  auto scores = read_lists(file, "trial-scores");
  ensure_sizes(file, params.size() == scores.size() * kTrialColumns);
  std::vector<FinishedTrial> trials;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double* p = params.data() + i * kTrialColumns;
    ensure_sizes(file, p[6] >= 1.0 && p[6] < 1e9);
    trials.push_back({Candidate{p[0], p[1], p[2], p[3], p[4], p[5]}, static_cast<Index>(p[6]),
                      std::move(scores[i])});
  }
  return trials;
}

void save_log(ContainerWriter& file, const std::vector<BitLog>& log) {
  std::vector<double> values;
  for (const BitLog& bit : log) {
    values.insert(values.end(), {bit.edge, bit.objective, bit.bound, bit.slack, bit.violation,
                                 static_cast<double>(bit.passes), to_double(bit.planes),
                                 static_cast<double>(bit.stop)});
  }
  file.add("log", std::span<const double>(values), kLogColumns);
}

std::vector<BitLog> load_log(const Container& file) {
  const auto values = file.array<double>("log");
  ensure_sizes(file, values.size() % kLogColumns == 0);
  std::vector<BitLog> log;
  for (std::size_t at = 0; at < values.size(); at += kLogColumns) {
    const double* v = values.data() + at;
    ensure_sizes(file, v[5] >= 0.0 && v[5] < 1e9 && v[6] >= 0.0 && v[6] < 1e9);
    log.push_back({.edge = v[0],
                   .objective = v[1],
                   .bound = v[2],
                   .slack = v[3],
                   .violation = v[4],
                   .passes = static_cast<int>(v[5]),
                   .planes = static_cast<Index>(v[6]),
                   .stop = v[7] == 0.0   ? Stop::converged
                           : v[7] == 1.0 ? Stop::plane_limit
                                         : Stop::stalled});
  }
  return log;
}

void save_weights(ContainerWriter& file, const WeightState& state) {
  add_doubles(file, "weights", state.weights);
  add_lists(file, "planes", state.points);
  add_doubles(file, "duals", state.duals);
  file.add("idle-bits", std::span<const std::int64_t>(state.idle_bits));
  file.add("lp-steps", std::span<const std::int64_t>(state.journal.steps));
  add_doubles(file, "lp-numbers", state.journal.numbers);
}

WeightState load_weights(const Container& file, std::span<const double> numbers) {
  WeightState state{.weights = read_array<double>(file, "weights"),
                    .objective = numbers[2],
                    .slack = numbers[3],
                    .points = read_lists(file, "planes"),
                    .duals = read_array<double>(file, "duals"),
                    .idle_bits = read_array<std::int64_t>(file, "idle-bits"),
                    .journal = {.steps = read_array<std::int64_t>(file, "lp-steps"),
                                .numbers = read_array<double>(file, "lp-numbers")}};
  ensure_sizes(file, !state.points.empty());
  ensure_sizes(file, state.duals.empty() || (state.duals.size() == state.points.size() &&
                                             state.idle_bits.size() == state.points.size()));
  for (const std::vector<double>& point : state.points) {
    ensure_sizes(file, point.size() <= state.weights.size());
  }
  return state;
}

/// The bits of every row as a packed table: an eighth of the size of their signs.
CodeMatrix packed(std::span<const LearnedBit> bits) {
  CodeMatrix codes(std::ssize(bits[0].signs), std::ssize(bits));
  for (Index bit = 0; bit < codes.bits(); ++bit) {
    for (Index row = 0; row < codes.rows(); ++row) {
      const auto& signs = bits[static_cast<std::size_t>(bit)].signs;
      codes.set(row, bit, signs[static_cast<std::size_t>(row)] > 0);
    }
  }
  return codes;
}

void save_learner(ContainerWriter& file, const LearnerState& state) {
  const LearnedCode& code = state.code;
  save_functions(file, code.bits);
  add_codes(file, "codes", packed(code.bits));
  save_log(file, code.log);
  const std::array numbers{code.trade_off, to_double(code.restarts), state.weights.objective,
                           state.weights.slack};
  file.add("numbers", std::span<const double>(numbers));
  save_weights(file, state.weights);
}

LearnerState load_learner(const Container& file, Index rows, Index bits) {
  LearnerState state;
  state.code.bits = load_functions(file, bits);
  state.code.log = load_log(file);
  const auto numbers = file.array<double>("numbers");
  ensure_sizes(file, numbers.size() == 4 && numbers[1] >= 0.0 && numbers[1] < 1e9 &&
                         std::ssize(state.code.log) == bits);
  state.code.trade_off = numbers[0];
  state.code.restarts = static_cast<Index>(numbers[1]);
  state.weights = load_weights(file, numbers);
  ensure_sizes(file, std::ssize(state.weights.weights) == bits);
  const CodeMatrix codes = read_codes(file, "codes", rows, bits);
  for (Index bit = 0; bit < bits; ++bit) {
    LearnedBit& learned = state.code.bits[static_cast<std::size_t>(bit)];
    learned.edge = state.code.log[static_cast<std::size_t>(bit)].edge;
    for (Index row = 0; row < rows; ++row) {
      learned.signs.push_back(codes.bit(row, bit) ? std::int8_t{1} : std::int8_t{-1});
    }
  }
  return state;
}

}  // namespace

void save_state(const TrainingState& state, const TrainingIdentity& identity,
                const std::string& path) {
  ContainerWriter file(path, kCheckpointKind);
  save_trials(file, state.trials);
  if (state.learner) {
    save_learner(file, *state.learner);
  }
  const nlohmann::json header{{"version", code_version()},
                              {"options", nlohmann::json::parse(identity.options)},
                              {"data", identity.data},
                              {"rows", identity.rows},
                              {"trials", state.trials.size()},
                              {"bits_done", state.learner ? state.learner->code.bits.size() : 0}};
  file.commit(header.dump());
}

TrainingIdentity load_identity(const Container& file) {
  const JsonFields header(file);
  if (header.text("version") != code_version()) {
    fail(Errc::bad_data,
         fmt::format("{} is a checkpoint of structhash {}, and this is {}, which may train another "
                     "model; finish with that version, or remove the checkpoint to start again",
                     file.path(), header.text("version"), code_version()));
  }
  return {.options = nlohmann::json::parse(header.object("options")).dump(),
          .data = header.text("data"),
          .rows = header.count("rows")};
}

TrainingState load_state(const Container& file, Index rows) {
  const JsonFields header(file);
  TrainingState state{.trials = load_trials(file), .learner = {}};
  if (const Index bits = header.count("bits_done"); bits > 0) {
    state.learner = load_learner(file, rows, bits);
  }
  return state;
}

}  // namespace structhash
