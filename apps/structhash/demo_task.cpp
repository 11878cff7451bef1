#include "demo_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "digits.hpp"
#include "evaluation/png_data_uri.hpp"
#include "evaluation/vector_rows.hpp"
#include "interrupt.hpp"
#include "questions.hpp"
#include "structhash/data/split.hpp"
#include "structhash/relevance/builders.hpp"

namespace structhash::cli {
namespace {

constexpr Index kQueries = 500;
constexpr Index kStrips = 6;
constexpr Index kStripItems = 12;
constexpr Index kSide = 8;  // pixels
constexpr float kBrightest = 16.0F;

constexpr Index kTrainingQuestions = 1350;
constexpr Index kQuestionItems = 10;
constexpr Index kQuantiserBytes = 8;

using Names = std::vector<std::string>;

const Names& digits_measures() {
  static const Names kNames{"ndcg@100", "precision@100", "map"};
  return kNames;
}

const Names& questions_measures() {
  static const Names kNames{"precision@10", "map"};
  return kNames;
}

std::string picture_of(const Dataset& digits, Index row) {
  std::vector<std::uint8_t> pixels;
  pixels.reserve(static_cast<std::size_t>(kSide * kSide));
  for (Index p = 0; p < kSide * kSide; ++p) {
    pixels.push_back(static_cast<std::uint8_t>(digits.features(row, p) / kBrightest * 255.0F));
  }
  return png_data_uri(pixels, kSide, kSide, 1);
}

int class_of(const Labels& labels, Index row) {
  return labels.classes[static_cast<std::size_t>(row)];
}

/// The first queries, and those for which half of the nearest items by plain distance are right:
/// neither easy nor too hard, they show how methods differ.
std::vector<Index> digits_to_show(const Dataset& queries, const TrainingSet& database) {
  std::vector<std::pair<Index, Index>>
      from_half;  // distance of the number of right items from half, query
  for (Index q = 0; q < queries.size(); ++q) {
    std::vector<std::pair<float, Index>> items;
    items.reserve(static_cast<std::size_t>(database.x.rows()));
    for (Index i = 0; i < database.x.rows(); ++i) {
      items.emplace_back((database.x.row(i) - queries.features.row(q)).squaredNorm(), i);
    }
    std::ranges::nth_element(items, items.begin() + kStripItems);
    const auto right = std::count_if(items.begin(), items.begin() + kStripItems, [&](auto& item) {
      return class_of(database.labels, item.second) == class_of(queries.labels, q);
    });
    from_half.emplace_back(std::abs(2 * right - kStripItems), q);
  }
  std::ranges::sort(from_half);
  std::vector<Index> shown;
  shown.reserve(static_cast<std::size_t>(kStrips));
  for (Index i = 0; i < kStrips; ++i) {
    shown.push_back(i % 2 == 0 ? from_half[static_cast<std::size_t>(i / 2)].second : i / 2);
  }
  return shown;
}

/// Queries, training set and database of the parts; relevant is the same class.
RetrievalTask task_of(const Dataset& data, const Split& parts, Seed seed) {
  RetrievalTask task;
  task.name = data.name;
  task.queries = data.select(parts.queries);
  task.database = data.select(parts.database);
  const Dataset train = data.select(parts.train);
  task.training = {.x = train.features, .labels = train.labels, .lists = {}};
  task.training.lists =
      lists_from_labels(train.labels, {}, seed.fork("lists"), /*threads=*/1).lists;
  task.truth = GroundTruth::from_labels(task.queries.labels, task.database.labels);
  return task;
}

void check_names(const Names& names) {
  for (const std::string& name : names) {
    find_method(name);  // report a wrong name before training
  }
}

/// The named ones in the order of the table; those of `otherwise` without names.
std::vector<const MethodEntry*> chosen_methods(const Names& names, const Names& otherwise) {
  std::vector<const MethodEntry*> chosen;
  for (const MethodEntry& method : methods()) {
    const Names& wanted = names.empty() ? otherwise : names;
    if (wanted.empty() || std::ranges::find(wanted, method.name) != wanted.end()) {
      chosen.push_back(&method);
    }
  }
  return chosen;
}

/// StructHash trains alone, so that its time is that of a training; long trainings start early.
DemoJob::Turn turn_of(std::string_view method) {
  return method == "structhash"                ? DemoJob::Turn::alone
         : method == "bres" || method == "cgh" ? DemoJob::Turn::first
                                               : DemoJob::Turn::any;
}

DemoJob method_job(const MethodEntry& method, const std::string& functions, Index bits,
                   const RetrievalTask& task, const Names& measures) {
  MethodRun run{.method = &method, .options = {.bits = bits}, .config_hash = {}};
  if (!functions.empty()) {
    run.options.functions = functions;
    run.params = nlohmann::json{{"functions", functions}}.dump();
  }
  return {.name = fmt::format("{} on {}", method.name, task.name),
          .turn = turn_of(method.name),
          .run = [run, &task, &measures](const FitContext& context) {
            return run_method(task, run, measures, context);
          }};
}

/// The row by the distance that the method is meant for alone: weighted before plain Hamming.
DemoJob first_distance(DemoJob job) {
  job.run = [run = job.run](const FitContext& context) {
    std::vector<DetailedRow> rows = run(context);
    rows.resize(1);
    return rows;
  };
  return job;
}

}  // namespace

RetrievalTask digits_task(Seed seed) {
  const auto digits = std::make_shared<const Dataset>(embedded_digits());
  Split parts = split(digits->size(), kQueries, /*train=*/0, seed);
  parts.train = parts.database;
  RetrievalTask task = task_of(*digits, parts, seed);
  const auto picture = [digits](const std::vector<Index>& of) -> RowText {
    return
        [digits, of](Index row) { return picture_of(*digits, of[static_cast<std::size_t>(row)]); };
  };
  task.query_picture = picture(parts.queries);
  task.database_picture = picture(parts.database);
  task.shown = digits_to_show(task.queries, task.training);
  task.shown_items = kStripItems;
  return task;
}

RetrievalTask questions_task(Seed seed) {
  const auto questions = std::make_shared<const Questions>(embedded_questions());
  const Split parts = split(questions->data.size(), kQueries, kTrainingQuestions, seed,
                            /*leave_out_training=*/true);
  RetrievalTask task = task_of(questions->data, parts, seed);
  const auto text = [questions](const std::vector<Index>& of) -> RowText {
    return [questions, of](Index row) {
      return questions->texts[static_cast<std::size_t>(of[static_cast<std::size_t>(row)])];
    };
  };
  task.query_text = text(parts.queries);
  task.database_text = text(parts.database);
  task.shown = queries_to_show(task.queries.labels, kQueries, kQueries);  // easy or hard
  task.shown_items = kQuestionItems;
  return task;
}

std::vector<DemoJob> digits_jobs(const RetrievalTask& task, const Names& names, Index bits) {
  check_names(names);
  std::vector<DemoJob> jobs;
  for (const MethodEntry* method : chosen_methods(names, {})) {
    const bool both = method->name == "structhash";
    jobs.push_back(method_job(*method, both ? "kernel" : "", bits, task, digits_measures()));
    if (both) {
      jobs.push_back(method_job(*method, "linear", bits, task, digits_measures()));
    }
  }
  return jobs;
}

std::vector<DemoJob> questions_jobs(const RetrievalTask& task, const Names& names, Index bits) {
  check_names(names);
  std::vector<DemoJob> jobs;
  const auto add = [&](const char* name, auto row) {
    jobs.push_back({.name = name, .run = [&task, row](const FitContext& context) {
                      return std::vector{row(task, context)};
                    }});
  };
  add("float cosine", [](const RetrievalTask& on, const FitContext& context) {
    return cosine_row(on, questions_measures(), context);
  });
  add("sign bits", [](const RetrievalTask& on, const FitContext& context) {
    return sign_row(on, questions_measures(), context);
  });
  add("product quantiser", [](const RetrievalTask& on, const FitContext& context) {
    return quantiser_row(on, kQuantiserBytes, questions_measures(), context);
  });
  for (const MethodEntry* method : chosen_methods(names, {"structhash"})) {
    const std::string functions = method->name == "structhash" ? "kernel" : "";
    for (const Index share : {1, 2, 4}) {
      if (share == 1 || bits / share >= 1) {
        jobs.push_back(first_distance(
            method_job(*method, functions, bits / share, task, questions_measures())));
      }
    }
  }
  return jobs;
}

std::vector<DetailedRow> run_jobs(const std::vector<DemoJob>& jobs, Seed seed, Threads threads,
                                  const std::function<void(Index jobs)>& on_done) {
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t job) { return jobs[job].turn; });
  const auto alone = std::ranges::count(jobs, DemoJob::Turn::alone, &DemoJob::turn);
  std::vector<std::vector<DetailedRow>> rows(jobs.size());
  std::atomic<Index> done = 0;
  const auto run = [&](Index place, Threads job_threads) {
    const std::size_t job = order[static_cast<std::size_t>(place)];
    rows[job] = jobs[job].run({.seed = seed, .threads = job_threads, .on_progress = [](auto&) {
                                 return !interrupted();
                               }});
    on_done(++done);
  };
  for (Index place = 0; place < alone; ++place) {
    run(place, threads);
  }
  parallel_for(std::ssize(jobs) - alone, threads, 1,
               [&](Index begin, Index) { run(alone + begin, threads.one()); });
  std::vector<DetailedRow> all;
  for (std::vector<DetailedRow>& some : rows) {
    std::ranges::move(some, std::back_inserter(all));
  }
  return all;
}

}  // namespace structhash::cli
