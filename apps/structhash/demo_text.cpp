#include "demo_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "terminal.hpp"

namespace structhash::cli {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::vector<std::string>>;

/// "kernel" or "linear" for a method that runs with several kinds of bit functions.
std::string functions_of(const ResultRow& row) {
  return Json::parse(row.params).value("functions", "");
}

Index bytes_of(const ResultRow& row) {
  return (row.bits + 7) / 8;
}

/// The measures and the training time of a row, or their names.
void add_values(const ResultRow& row, bool names, std::vector<std::string>& line) {
  for (const auto& [name, value] : row.measures) {
    line.push_back(names ? name : fmt::format("{:.4f}", value));
  }
  line.push_back(names ? "train s" : fmt::format("{:.2f}", row.train_seconds));
}

Json as_json(const Comparison& comparison) {
  Json results = Json::array();
  for (const auto& [row, details] : comparison.rows) {
    Json measures = Json::object();
    for (const auto& [name, value] : row.measures) {
      measures[name] = value;
    }
    results.push_back({{"method", row.method},
                       {"params", Json::parse(row.params)},
                       {"distance", row.distance},
                       {"bits", row.bits},
                       {"bytes", bytes_of(row)},
                       {"measures", measures},
                       {"train_seconds", row.train_seconds}});
  }
  const RetrievalTask& task = *comparison.task;
  return {{"name", task.name},
          {"queries", task.queries.size()},
          {"database", task.database.size()},
          {"training", task.training.x.rows()},
          {"results", results}};
}

std::string protocol_of(const RetrievalTask& task) {
  if (task.name == "digits") {
    return fmt::format(
        "{} of {} handwritten digits of 8x8 pixels are queries, all others are both training set "
        "and database; an item is relevant when it shows the same digit",
        task.queries.size(), task.queries.size() + task.database.size());
  }
  return fmt::format(
      "questions of bank customers in 77 classes, as sentence embeddings of {} numbers: {} "
      "queries, "
      "{} training rows and {} database items, none of them in two parts; an item is relevant when "
      "it is of the same class. A subset of banking77 (PolyAI, CC BY 4.0), embedded by "
      "all-MiniLM-L6-v2. Float cosine ranks by the embeddings, sign bits by one bit per number. "
      "The product quantiser has 8 parts of 256 centres, learned from training rows and database. "
      "Texts are shown for the first query of every class",
      task.database.dimension(), task.queries.size(), task.training.x.rows(), task.database.size());
}

}  // namespace

std::string digits_text(const Comparison& digits, Index bits, bool color) {
  Cells cells{{"method", "functions", "distance"}};
  add_values(digits.rows.front().row, true, cells[0]);
  for (const auto& [row, details] : digits.rows) {
    cells.push_back({row.method, functions_of(row), row.distance});
    add_values(row, false, cells.back());
  }
  return fmt::format(
             "Handwritten digits, {} queries against {} others, codes of {} bits.\n"
             "An item is relevant when it shows the digit of the query; 1 is perfect.\n\n",
             digits.task->queries.size(), digits.task->database.size(), bits) +
         table_text(cells, color);
}

std::string questions_text(const Comparison& questions, bool color) {
  Cells cells{{"method", "bytes"}};
  add_values(questions.rows.front().row, true, cells[0]);
  for (const auto& [row, details] : questions.rows) {
    cells.push_back({row.fixed_size ? row.method : fmt::format("{}, {} bits", row.method, row.bits),
                     fmt::to_string(bytes_of(row))});
    add_values(row, false, cells.back());
  }
  const RetrievalTask& task = *questions.task;
  return fmt::format(
             "Questions of bank customers, {} queries against {} others: embeddings of {} "
             "numbers.\n"
             "An item is relevant when it is of the class of the query. Codes were learned from "
             "{}\n"
             "further questions; queries and database were not in training.\n\n",
             task.queries.size(), task.database.size(), task.database.dimension(),
             task.training.x.rows()) +
         table_text(cells, color);
}

std::string demo_json(std::span<const Comparison> comparisons, Index bits) {
  Json json{{"bits", bits}, {"data", Json::array()}};
  for (const Comparison& comparison : comparisons) {
    json["data"].push_back(as_json(comparison));
  }
  json["version"] = STRUCTHASH_VERSION;
  return json_text(json);
}

std::vector<std::pair<std::string, std::string>> demo_facts(
    std::span<const Comparison> comparisons) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const Comparison& comparison : comparisons) {
    facts.emplace_back("Protocol of " + comparison.task->name, protocol_of(*comparison.task));
  }
  facts.emplace_back("Training time", "of StructHash on all threads, of every other method on one");
  return facts;
}

}  // namespace structhash::cli
