#include "train_outcome.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "structhash/core/version.hpp"

namespace structhash::cli {

void note_lists(const Outcome& outcome) {
  if (outcome.without_relevant > 0.0 || outcome.without_irrelevant > 0.0) {
    print_note(
        fmt::format("{} queries: {} without a relevant item and {} without an irrelevant item give "
                    "no list to train on",
                    outcome.queries, outcome.without_relevant, outcome.without_irrelevant));
  }
}

void print_outcome(const std::string& path, const Session& session, const HashModel& model,
                   const TrainingData& data, const Outcome& outcome, int processes) {
  if (!session.json) {
    const Matrix<float>& queries = data.set.queries;
    print_data(fmt::format("{}: {} bits from {} rows of {} features", model.method, model.bits(),
                           data.rows - queries.rows(), model.dimension()));
    if (data.set.two_views()) {
      print_data(fmt::format(" and {} queries of {}", queries.rows(), queries.cols()));
    }
    print_data(fmt::format(" in {:.1f} s, written to {}\n", outcome.seconds, path));
    return;
  }
  nlohmann::ordered_json json{
      {"model", path},
      {"method", model.method},
      {"parameters", nlohmann::ordered_json::parse(model.parameters)},
      {"bits", model.bits()},
      {"dimension", model.dimension()},
      {"bit_weights", !model.bit_weights.empty()},
      {"rows", data.rows},
      {"lists", static_cast<Index>(outcome.lists)},
      {"queries_without_relevant", static_cast<Index>(outcome.without_relevant)},
      {"queries_without_irrelevant", static_cast<Index>(outcome.without_irrelevant)},
      {"seed", session.seed_value},
      {"train_seconds", outcome.seconds},
      {"version", STRUCTHASH_VERSION}};
  if (data.set.two_views()) {
    json.update(
        {{"query_rows", data.set.queries.rows()}, {"query_dimension", data.set.queries.cols()}});
  }
  if (processes > 1) {
    json["processes"] = processes;
    json["network_bytes"] = static_cast<std::int64_t>(outcome.network_bytes);
  }
  print_data(json_text(json));
}

}  // namespace structhash::cli
