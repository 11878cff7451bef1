#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "answer_files.hpp"
#include "core/json_fields.hpp"
#include "distance_option.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "memory_limit.hpp"
#include "memory_plan.hpp"
#include "session.hpp"
#include "stopwatch.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/core/container.hpp"
#include "structhash/core/error.hpp"
#include "structhash/hashing/model_io.hpp"
#include "structhash/search/code_index.hpp"

namespace structhash::cli {
namespace {

constexpr Index kShownQueries = 5;
constexpr Index kShownNeighbours = 10;
constexpr Index kQueriesAtOnce = 4096;  // their neighbours are in memory

struct SearchCommandOptions {
  std::string model;
  std::string codes;
  std::string index;  // in place of codes
  DataFiles queries;
  DataFiles items;  // labels and ids of what is searched
  Index k = 100;
  std::optional<float> radius;
  std::optional<QueryDistance> distance;
  EngineChoice engine = EngineChoice::automatic;
  std::string device = "cpu";
  std::string neighbours;
  std::string distances;
  std::string out;
};

/// Counts, and the first answers for display.
struct Summary {
  Index queries = 0;
  Index found = 0;
  std::string_view engine = "none";
  std::vector<std::vector<std::pair<float, std::int64_t>>> first;

  void add(const SearchResult& result) {
    for (Index query = 0; query < result.queries() && std::ssize(first) < kShownQueries; ++query) {
      const Index begin = result.starts[static_cast<std::size_t>(query)];
      const Index end = result.starts[static_cast<std::size_t>(query) + 1];
      auto& list = first.emplace_back();
      for (Index i = begin; i < std::min(end, begin + kShownNeighbours); ++i) {
        list.emplace_back(result.distances[static_cast<std::size_t>(i)],
                          result.ids[static_cast<std::size_t>(i)]);
      }
    }
    queries += result.queries();
    found += std::ssize(result.ids);
    engine = result.engine;
  }
};

/// The model, cut to the bits of the codes where these are the first bits of its own.
LoadedModel load_model_of(const SearchCommandOptions& options) {
  LoadedModel loaded = load_model_with_identity(options.model);
  const Container codes(options.codes, Verify::all_but_large);
  const JsonFields header(codes);
  const bool own = header.get_or<std::string>("model", "") == loaded.identity;
  if (own && header.has("bits") && header.count("bits") < loaded.model.bits()) {
    loaded.model = truncate(loaded.model, header.count("bits"));
  }
  return loaded;
}

/// The codes of a code file or an index file; throws unless they come from the model.
CodeIndex open_codes(const SearchCommandOptions& options, const LoadedModel& loaded,
                     QueryDistance distance) {
  const auto& [model, identity] = loaded;
  const std::span<const float> weights = distance == QueryDistance::hamming
                                             ? std::span<const float>{}
                                             : std::span<const float>{model.bit_weights};
  const bool is_index = file_kind(options.codes) == "index";
  CodeIndex index = is_index
                        ? CodeIndex::load(options.codes, Verify::everything)
                        : CodeIndex::of_code_file(options.codes, {weights.begin(), weights.end()},
                                                  Verify::everything);
  const std::string& maker = index.settings().model;
  if (index.bits() != model.bits() || (!maker.empty() && maker != identity)) {
    fail(Errc::bad_data,
         fmt::format("{} holds codes of {} bits made by model {}, but {} has {} bits and is model "
                     "{}; encode with this model or search with the other one",
                     options.codes, index.bits(), maker.empty() ? "(unknown)" : maker,
                     options.model, model.bits(), identity));
  }
  require(
      distance == QueryDistance::adaptive ||
          std::ranges::equal(index.settings().bit_weights, weights),
      fmt::format("{} is an index for {} distance with its own weights; use --distance {} and the "
                  "model it was built with",
                  options.codes, index.settings().bit_weights.empty() ? "Hamming" : "weighted",
                  index.settings().bit_weights.empty() ? "hamming" : "weighted"));
  return index;
}

/// What a search is made of.
struct Searcher {
  const CodeIndex& index;
  const HashModel& model;  // of the queries
  SearchCommandOptions options;
  QueryDistance distance = QueryDistance::hamming;
  int threads = 1;

  SearchResult search(const MatrixView& queries_x) const {
    const IndexSearchOptions how{.threads = threads, .engine = options.engine, .only = nullptr};
    if (distance == QueryDistance::asymmetric) {
      const Matrix<float> values = decision_values(model.encoder, queries_x, threads);
      return index.nearest_asymmetric(values, options.k, how);
    }
    if (distance == QueryDistance::adaptive) {
      const Matrix<float> values = adaptive_values(model, queries_x, threads);
      return index.nearest_adaptive(values, options.k, how);
    }
    const CodeMatrix queries = encode(model.encoder, queries_x, threads);
    return options.radius ? index.within(queries, *options.radius, how)
                          : index.nearest(queries, options.k, how);
  }
};

/// How many queries are searched at once: few enough that Ctrl-C is noticed within a fraction of a
/// second and that their neighbours fit into memory.
class BatchSize {
 public:
  explicit BatchSize(Index max) : max_(max), next_(std::min<Index>(kFirst, max)) {}
  Index next() const { return next_; }
  void took(Index count, double seconds) {
    constexpr double kSeconds = 0.2;
    constexpr double kGrowth = 4.0;
    const double factor = std::min(kGrowth, kSeconds / std::max(seconds, 1e-6));
    next_ = std::clamp<Index>(static_cast<Index>(to_double(count) * factor), 1, max_);
  }

 private:
  static constexpr Index kFirst = 16;
  Index max_;
  Index next_;
};

/// A radius may find every code for every query: the limit, or 1 GiB, bounds the queries at once.
Index max_queries_at_once(const CodeIndex& index, const SearchCommandOptions& options,
                          const Session& session) {
  if (!options.radius) {
    return kQueriesAtOnce;
  }
  const double per_query = kBytesPerNeighbour * to_double(std::max<Index>(1, index.size()));
  double left = 1024.0 * 1024.0 * 1024.0;
  if (session.memory_limit > 0.0) {
    const double base = memory_of_search(options.model, options.codes, options.queries,
                                         options.items, 0, session.thread_count());
    check_memory_limit(session.memory_limit, base + per_query,
                       "a radius may find every code; split the codes, or raise the limit");
    left = session.memory_limit - base;
  }
  return static_cast<Index>(std::clamp(left / per_query, 1.0, to_double(kQueriesAtOnce)));
}

Summary search_all(Searcher searcher, Index max_queries, AnswerFiles& files,
                   const ProgressCallback& on_progress) {
  SearchCommandOptions& options = searcher.options;
  Summary summary;
  BatchSize batch(max_queries);
  Stopwatch watch;
  read_blocks(options.queries, searcher.model.dimension(), "searching", on_progress,
              [&](const MatrixView& block) {
                if (options.engine == EngineChoice::automatic) {  // one for all batches
                  const Index queries = std::min(kQueriesAtOnce, block.rows());
                  const Index k = options.radius ? 1 : options.k;
                  options.engine = searcher.index.engine(k, queries) == "multi-index"
                                       ? EngineChoice::multi_index
                                       : EngineChoice::scan;
                }
                for (Index first = 0, count = 0; first < block.rows(); first += count) {
                  stop_if_interrupted();
                  count = std::min(batch.next(), block.rows() - first);
                  watch.lap();
                  const SearchResult found = searcher.search(block.middleRows(first, count));
                  files.append(found);
                  summary.add(found);
                  batch.took(count, watch.lap());
                }
              });
  stop_if_interrupted();
  files.finish();
  return summary;
}

/// Ids of the queries, ids and labels of the items, where files name them.
HitNames read_names(const SearchCommandOptions& options, const CodeIndex& index) {
  HitNames names;
  if (!options.queries.ids.empty() || !options.queries.table.id_column.empty()) {
    names.queries = row_ids(options.queries, open_features(options.queries)->rows());
  }
  if (!options.items.ids.empty()) {
    names.items = read_ids(options.items.ids);
  }
  if (!options.items.labels.empty()) {
    names.labels = load_labels(options.items.labels, options.items.label_options());
    require(!names.labels.is_multi(), "--labels needs one label per item to show them");
  }
  check_names(names, index);
  return names;
}

nlohmann::ordered_json as_json(const SearchCommandOptions& options, const CodeIndex& index,
                               QueryDistance distance, const Summary& summary, double seconds) {
  nlohmann::ordered_json first = nlohmann::ordered_json::array();
  for (const auto& list : summary.first) {
    nlohmann::ordered_json ids = nlohmann::ordered_json::array();
    nlohmann::ordered_json distances = nlohmann::ordered_json::array();
    for (const auto& [far, id] : list) {
      ids.push_back(id);
      distances.push_back(far);
    }
    first.push_back({{"neighbours", ids}, {"distances", distances}});
  }
  nlohmann::ordered_json json{{"model", options.model},     {"codes", options.codes},
                              {"rows", index.size()},       {"bits", index.bits()},
                              {"queries", summary.queries}, {"found", summary.found}};
  if (options.radius) {
    json["radius"] = *options.radius;
  } else {
    json["k"] = options.k;
  }
  json["distance"] = name_of(distance);
  json["engine"] = summary.engine;
  json["first"] = first;
  json["seconds"] = seconds;
  json["version"] = STRUCTHASH_VERSION;
  return json;
}

std::string as_text(const SearchCommandOptions& options, const CodeIndex& index,
                    QueryDistance distance, const Summary& summary, const HitNames& names) {
  std::string text = fmt::format(
      "{} queries, {} codes of {} bits, {} distance, {}: {} found by {}\n", summary.queries,
      index.size(), index.bits(), long_name_of(distance),
      options.radius ? fmt::format("radius {}", *options.radius) : fmt::format("k {}", options.k),
      summary.found, summary.engine);
  for (const std::string& path : {options.neighbours, options.distances, options.out}) {
    text += path.empty() || path == "-" ? "" : fmt::format("written: {}\n", path);
  }
  if (!options.neighbours.empty() || !options.out.empty()) {
    return text;
  }
  text += names.items.empty() ? "\nFirst queries, id (distance), rows counted from 0:\n"
                              : "\nFirst queries, id (distance):\n";
  for (std::size_t query = 0; query < summary.first.size(); ++query) {
    text += fmt::format("{:>4} ", query);
    for (const auto& [far, id] : summary.first[query]) {
      text += fmt::format("  {} ({:.6g})", item_text(names, id), far);
    }
    text += summary.first[query].empty() ? "  none\n" : "\n";
  }
  return text;
}

/// A radius is one of the stored codes: by default of weighted or plain Hamming distance.
QueryDistance distance_of(const SearchCommandOptions& options, const HashModel& model) {
  if (!options.distance && options.radius) {
    return model.bit_weights.empty() ? QueryDistance::hamming : QueryDistance::weighted;
  }
  return distance_for(model, options.model, options.distance);
}

void check_options(const SearchCommandOptions& options, const Session& session) {
  require(!options.radius || !options.distance || !uses_values(*options.distance),
          "--radius is for the distances weighted and hamming; use --k");
  require(options.codes.empty() != options.index.empty(),
          "what to search is missing or given twice; use either --codes or --index");
  require(options.items.table.label_column.empty() || !options.items.labels.empty(),
          "--label-column is a column of the file of --labels, which is missing");
  require(options.out != "-" || !session.json,
          "--out - and --json both print to standard output; use one");
}

void run(SearchCommandOptions options, const Session& session) {
  check_options(options, session);
  options.codes = options.codes.empty() ? options.index : options.codes;
  if (session.memory_limit > 0.0) {
    check_memory_limit(
        session.memory_limit,
        memory_of_search(options.model, options.codes, options.queries, options.items,
                         options.radius ? 0 : options.k, session.thread_count()),
        "use a smaller --k, split the codes, or raise the limit");
  }
  LoadedModel loaded = load_model_of(options);
  read_through_projection(loaded.model, {&options.queries});
  const HashModel& model = loaded.model;
  const HashModel queries = query_model(model);
  const QueryDistance distance = distance_of(options, model);
  const int threads = session.thread_count();
  note_columns(options.queries);
  ProgressDisplay display(session.color);
  CodeIndex index = open_codes(options, loaded, distance);
  index.use_device(options.device);
  const HitNames names = read_names(options, index);
  AnswerFiles files(options.neighbours, options.distances,
                    options.radius ? 0 : std::clamp<Index>(index.size(), 1, options.k),
                    options.out.empty() ? nullptr : make_hits_file(options.out, names));
  Stopwatch watch;
  if (options.engine == EngineChoice::multi_index) {
    index.prepare(threads);
  }
  const Summary summary =
      search_all({index, queries, options, distance, threads},
                 max_queries_at_once(index, options, session), files, display.callback());
  const double seconds = watch.lap();
  display.clear();
  if (options.out == "-") {
    std::string text = as_text(options, index, distance, summary, names);
    text.pop_back();  // a note ends its line
    print_note(text);
    return;
  }
  print_data(session.json ? json_text(as_json(options, index, distance, summary, seconds))
                          : as_text(options, index, distance, summary, names));
}

float parse_radius(const std::string& word) {
  float radius = 0.0F;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), radius);
  require(problem == std::errc() && end == word.data() + word.size() && std::isfinite(radius) &&
              radius >= 0.0F,
          fmt::format("--radius: '{}' is not a number of 0 or more", word));
  return radius;
}

void add_options(Command& command, SearchCommandOptions& options) {
  command.input({"--model", "FILE", "Model file"}, options.model, Need::required);
  command.input({"--codes", "FILE", "Code file to search"}, options.codes);
  command.input({"--index", "FILE", "Index file to search, in place of --codes"}, options.index);
  command.inputs({"--queries", "FILE...", "Feature vectors of the queries, one row for each"},
                 options.queries.features, Need::required);
  add_table_options(command, options.queries.table);
  command.number({"--k", "N", "Neighbours per query (default 100)"}, options.k, 1);
  command.word({"--radius", "R", "All neighbours up to this distance, instead of --k"},
               [&options](const std::string& word) { options.radius = parse_radius(word); });
  add_distance_option(command, options.distance);
  command.word(
      {"--engine", "NAME", "auto (default), scan or multi-index; all give the same answers"},
      [&options](const std::string& word) { options.engine = parse_engine(word); });
  command.word({"--device", "NAME",
                "Where codes are compared: cpu (default), cuda or cuda:N, a GPU; same answers"},
               [&options](const std::string& word) { options.device = word; });
  command.output({"--out", "FILE",
                  "Write query, rank, id, distance and label of every neighbour as .tsv, .csv, "
                  ".jsonl or .npy; - is tsv on standard output"},
                 options.out);
  command.input({"--ids", "FILE", "Names of the items, one per line, from id 0 on"},
                options.items.ids);
  command.input({"--query-ids", "FILE", "Names of the queries, one per line"}, options.queries.ids);
  add_label_options(command, options.items,
                    "Labels of the items, shown beside their ids; the first is of id 0");
  command.output({"--neighbours", "FILE",
                  "Write row numbers as .npy: queries x k; with --radius one "
                  "row (query, neighbour) each"},
                 options.neighbours);
  command.output({"--distances", "FILE", "Write their distances as .npy, in the same order"},
                 options.distances);
}

}  // namespace

void add_search(CLI::App& app, Session& session) {
  Command command(
      app, "search", "Find the codes nearest to each query, exactly",
      "  structhash search --model m.shm --codes codes.shc --queries q.npy --k 10\n"
      "  structhash search --model m.shm --codes codes.shc --queries q.npy --k 100 \\\n"
      "             --neighbours n.npy --distances d.npy\n"
      "  structhash search --model m.shm --index items.shi --queries q.npy --ids ids.txt \\\n"
      "             --labels y.csv --out hits.tsv\n"
      "  structhash search --model m.shm --codes codes.shc --queries q.npy --radius 3 \\\n"
      "             --distance hamming --json\n");
  auto options = std::make_shared<SearchCommandOptions>();
  add_options(command, *options);
  add_threads_option(command, session);
  add_memory_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
