#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "distance_option.hpp"
#include "evaluation_data.hpp"
#include "interrupt.hpp"
#include "memory_limit.hpp"
#include "memory_plan.hpp"
#include "output_files.hpp"
#include "session.hpp"
#include "stopwatch.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/evaluation/evaluate.hpp"
#include "structhash/hashing/model_io.hpp"
#include "structhash/ranking/measures.hpp"

namespace structhash::cli {
namespace {

struct EvaluateOptions {
  std::string model;
  EvaluationFiles files;
  std::vector<std::string> measures{"ndcg@100", "precision@100", "map", "pr-auc"};
  std::optional<QueryDistance> distance;
  Ties ties = Ties::average;
  std::string run_file;
  Index depth = 1000;
  std::string curves_file;
  Index bits = 0;  // the first of the model's; 0: all
};

nlohmann::ordered_json as_json(const EvaluateOptions& options, const HashModel& model,
                               const EvaluationData& data, const Evaluation& result,
                               QueryDistance distance, double encode_seconds,
                               double evaluate_seconds) {
  nlohmann::ordered_json measures = nlohmann::ordered_json::object();
  for (std::size_t m = 0; m < result.measures.size(); ++m) {
    measures[result.measures[m]] = result.means[m];
  }
  return {{"model", options.model},
          {"method", model.method},
          {"parameters", nlohmann::ordered_json::parse(model.parameters)},
          {"bits", model.bits()},
          {"distance", name_of(distance)},
          {"ties", name_of(options.ties)},
          {"queries", data.queries.rows()},
          {"queries_without_relevant", result.queries_without_relevant},
          {"queries_from_training", data.trained_share},
          {"database", data.database.rows()},
          {"training_rows_left_out", options.files.left_out},
          {"measures", measures},
          {"encode_seconds", encode_seconds},
          {"evaluate_seconds", evaluate_seconds},
          {"version", STRUCTHASH_VERSION}};
}

std::string as_text(const EvaluateOptions& options, const HashModel& model,
                    const EvaluationData& data, const Evaluation& result, QueryDistance distance,
                    bool color) {
  std::string text =
      fmt::format("{}, {} bits, {} distance, ties: {}; {} queries, {} database items\n",
                  model.method, model.bits(), long_name_of(distance), name_of(options.ties),
                  data.queries.rows(), data.database.rows());
  if (options.files.left_out > 0) {
    text += fmt::format("{} training rows are left out\n", options.files.left_out);
  }
  if (result.queries_without_relevant > 0) {
    text += fmt::format("{} queries have no relevant item and are left out of the means\n",
                        result.queries_without_relevant);
  }
  std::vector<std::vector<std::string>> rows{{"measure", "mean"}};
  for (std::size_t m = 0; m < result.measures.size(); ++m) {
    rows.push_back({result.measures[m], fmt::format("{:.4f}", result.means[m])});
  }
  return text + "\n" + table_text(rows, color);
}

/// Rows that a model was trained on rank better than new ones.
void note_training_rows(double share) {
  if (share > 0.0) {
    print_note(
        fmt::format("warning: about {:.0f} % of the queries are training rows of this model, so "
                    "the measures are too good; train with --queries N and evaluate with the same "
                    "--queries N and --seed, or use other queries",
                    100.0 * std::min(1.0, share)));
  }
}

void run(EvaluateOptions options, const Session& session) {
  for (const std::string& measure : options.measures) {
    parse_measure(measure);  // a wrong name is reported before any file is read
  }
  if (session.memory_limit > 0.0) {
    check_memory_limit(
        session.memory_limit,
        memory_of_evaluation(options.model, options.files,
                             options.run_file.empty() ? 0 : options.depth, session.thread_count()),
        "evaluate fewer rows, use fewer --threads, or raise the limit");
  }
  HashModel model = load_model(options.model);
  if (options.bits > 0) {
    model = truncate(model, options.bits);
  }
  read_through_projection(model, {&options.files.database, &options.files.queries});
  const QueryDistance distance = distance_for(model, options.model, options.distance);
  ProgressDisplay display(session.color);
  const int threads = session.thread_count();

  Stopwatch watch;
  const EvaluationData data = prepare_evaluation(model, options.files, distance, session.seed(),
                                                 threads, display.callback());
  const BitWeights weights = uses_values(distance) ? BitWeights::of_queries(data.query_values)
                             : distance == QueryDistance::weighted ? BitWeights(model.bit_weights)
                                                                   : BitWeights();
  const double encode_seconds = watch.lap();
  const EvaluationOptions how{
      .ties = options.ties, .threads = interruptible(threads), .on_progress = display.callback()};
  const Evaluation result =
      evaluate(data.database, data.queries, weights, data.truth, options.measures, how);
  const double evaluate_seconds = watch.lap();
  if (!options.run_file.empty()) {
    write_run_file(options.run_file, data, weights, options.depth, model.method, threads);
  }
  if (!options.curves_file.empty()) {
    write_curves_file(options.curves_file, data, weights, how);
  }
  stop_if_interrupted();
  display.clear();
  note_training_rows(data.trained_share);
  print_data(session.json
                 ? json_text(as_json(options, model, data, result, distance, encode_seconds,
                                     evaluate_seconds))
                 : as_text(options, model, data, result, distance, use_color(session.color, 1)));
}

void add_options(Command& command, EvaluateOptions& options) {
  command.input({"--model", "FILE", "Model file"}, options.model, Need::required);
  add_evaluation_options(command, options.files);
  command.comma_list({"--measures", "NAMES",
                      "Measures, separated by commas (default ndcg@100,precision@100,map,pr-auc)"},
                     options.measures);
  command.number({"--bits", "N", "Use the first N bits of the model alone"}, options.bits, 1);
  add_distance_option(command, options.distance);
  command.word(
      {"--ties", "NAME", "Order of items at equal distance: average (default), best, worst or id"},
      [&options](const std::string& word) { options.ties = parse_ties(word); });
  command.output({"--run", "FILE", "Also write the rankings as a TREC run file"}, options.run_file);
  command.number({"--depth", "N", "Items per query in the run file (default 1000)"}, options.depth,
                 1);
  command.output({"--curves", "FILE", "Also write precision-recall and precision@N curves as JSON"},
                 options.curves_file);
}

}  // namespace

void add_evaluate(CLI::App& app, Session& session) {
  Command command(
      app, "evaluate", "Measure how well the codes of a model rank a database",
      "  structhash evaluate --model m.shm --features x.npy --labels y.npy --queries 1000\n"
      "  structhash evaluate --model m.shm --features base.npy --labels base-y.npy \\\n"
      "             --query-features test.npy --query-labels test-y.npy --measures map,ndcg@10\n"
      "  structhash evaluate --model m.shm --features docs.npy --query-features queries.npy \\\n"
      "             --relevance qrels.trec --item-ids docs.txt --query-ids queries.txt --json\n"
      "  structhash evaluate --model m.shm --features x.npy --queries 1000 --nearest 0.02\n");
  auto options = std::make_shared<EvaluateOptions>();
  add_options(command, *options);
  add_seed_option(command, session, "which rows --queries takes");
  add_threads_option(command, session);
  add_memory_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
