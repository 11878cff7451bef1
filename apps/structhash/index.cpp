#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "distance_option.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "session.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/codes/code_io.hpp"
#include "structhash/core/error.hpp"
#include "structhash/hashing/model_io.hpp"
#include "structhash/search/code_index.hpp"

namespace structhash::cli {
namespace {

struct IndexOptions {
  std::string index;                // that is read
  std::vector<std::string> others;  // merged
  std::string model;
  DataFiles files;
  std::string codes;
  std::optional<QueryDistance> distance;
  Index bits = 0;  // the first of the model's or the codes'; 0: all
  bool tables = false;
  std::string out;  // empty: the index that is read
};

/// Ids must be whole numbers; `source` names their file in errors.
std::vector<std::int64_t> whole_numbers(const std::vector<std::string>& ids,
                                        const std::string& source) {
  std::vector<std::int64_t> numbers;
  for (const std::string& text : ids) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size() || number < 0) {
      fail(Errc::bad_data,
           fmt::format("{}: id {} is '{}'; an index has whole numbers of 0 or more as ids. Keep "
                       "other ids in a file, one per line, and give it to search --ids",
                       source, numbers.size() + 1, text));
    }
    numbers.push_back(number);
  }
  return numbers;
}

struct NewCodes {
  CodeMatrix codes;
  std::string model;  // identity; empty: unknown
  std::vector<float> weights;
};

/// Codes of a code file, or of features and a model.
NewCodes read_codes(const IndexOptions& options, const Session& session) {
  const bool features = !options.files.features.empty();
  require(features != !options.codes.empty(),
          "give either --features with --model, or --codes with codes that are encoded already");
  require(!features || !options.model.empty(), "--features needs the --model that encodes them");
  NewCodes result;
  DataFiles files = options.files;
  std::optional<MappedCodes> file;
  if (!features) {
    file.emplace(options.codes);
  }
  std::optional<LoadedModel> loaded;
  if (!options.model.empty()) {
    loaded = load_model_with_identity(options.model);
    require(!file || file->model().empty() || file->model() == loaded->identity,
            fmt::format("{} was made by another model than {}", options.codes, options.model));
    const Index bits = loaded->model.bits();
    loaded->model = truncate(loaded->model, options.bits > 0 ? options.bits
                                            : file           ? std::min(bits, file->bits())
                                                             : bits);
    read_through_projection(loaded->model, {&files});
    const QueryDistance distance = distance_for(loaded->model, options.model, options.distance);
    if (distance != QueryDistance::hamming) {
      result.weights = loaded->model.bit_weights;
    }
  }
  require(loaded || options.distance.value_or(QueryDistance::hamming) == QueryDistance::hamming,
          "--distance needs the --model, which has the weights");
  if (features) {
    note_columns(options.files);
    ProgressDisplay display(session.color);
    result.codes =
        encode_files(loaded->model, files, session.thread_count(), display.callback()).codes;
    result.model = loaded->identity;
    return result;
  }
  result.codes =
      CodeMatrix(file->rows(), file->bits(), {file->words().begin(), file->words().end()});
  if (options.bits > 0) {
    result.codes = first_bits(result.codes, options.bits);
  }
  result.model = file->model();
  return result;
}

void add_codes(CodeIndex& index, const NewCodes& added, const IndexOptions& options) {
  const DataFiles& files = options.files;
  if (!files.ids.empty()) {
    index.add(added.codes, whole_numbers(read_ids(files.ids), files.ids));
  } else if (!files.table.id_column.empty()) {
    index.add(added.codes, whole_numbers(load_ids(files.features, files.feature_options()),
                                         files.features.front()));
  } else {
    index.add(added.codes);
  }
}

nlohmann::ordered_json as_json(const std::string& path, const CodeIndex& index) {
  nlohmann::ordered_json json{
      {"index", path},
      {"codes", index.size()},
      {"bits", index.bits()},
      {"distance", index.settings().bit_weights.empty() ? "hamming" : "weighted"},
      {"tables", index.prepared()},
      {"bytes", index.bytes()},
      {"model", index.settings().model}};
  const std::vector<std::int64_t> ids = index.ids();
  if (!ids.empty()) {
    json["first_id"] = ids.front();
    json["last_id"] = ids.back();
  }
  json["version"] = STRUCTHASH_VERSION;
  return json;
}

void print_index(const std::string& path, const CodeIndex& index, const Session& session) {
  const nlohmann::ordered_json json = as_json(path, index);
  if (session.json) {
    print_data(json_text(json));
    return;
  }
  print_data(fmt::format("{}: {} codes of {} bits, {} distance, {} tables of the multi-index\n",
                         path, index.size(), index.bits(),
                         index.settings().bit_weights.empty() ? "Hamming" : "weighted Hamming",
                         index.prepared() ? "with" : "without"));
  if (index.size() > 0) {
    print_data(fmt::format("ids {} to {}, made by model {}\n", json["first_id"].get<Index>(),
                           json["last_id"].get<Index>(),
                           index.settings().model.empty() ? "(unknown)" : index.settings().model));
  }
}

/// Writes the changed index in place of the old one, or to --out.
void finish(CodeIndex& index, const IndexOptions& options, const Session& session) {
  if (options.tables) {
    index.prepare(session.thread_count());
  }
  stop_if_interrupted();
  const std::string& path = options.out.empty() ? options.index : options.out;
  index.save(path);
  print_index(path, index, session);
}

void build(const IndexOptions& options, const Session& session) {
  const NewCodes added = read_codes(options, session);
  CodeIndex index({.bits = added.codes.bits(), .bit_weights = added.weights, .model = added.model});
  add_codes(index, added, options);
  finish(index, options, session);
}

void add(const IndexOptions& options, const Session& session) {
  CodeIndex index = CodeIndex::load(options.index, Verify::everything);
  const NewCodes added = read_codes(options, session);
  const IndexSettings& settings = index.settings();
  if (added.codes.bits() != settings.bits ||
      (!added.model.empty() && !settings.model.empty() && added.model != settings.model)) {
    fail(Errc::bad_data,
         fmt::format("{} holds codes of {} bits of model {}, but these have {} bits and are of "
                     "model {}",
                     options.index, settings.bits,
                     settings.model.empty() ? "(unknown)" : settings.model, added.codes.bits(),
                     added.model.empty() ? "(unknown)" : added.model));
  }
  add_codes(index, added, options);
  finish(index, options, session);
}

void remove(const IndexOptions& options, const Session& session) {
  CodeIndex index = CodeIndex::load(options.index, Verify::everything);
  index.remove(whole_numbers(read_ids(options.files.ids), options.files.ids));
  finish(index, options, session);
}

void merge(const IndexOptions& options, const Session& session) {
  require(options.others.size() >= 2, "merge needs at least two indexes: --index a.shi b.shi");
  CodeIndex index = CodeIndex::load(options.others.front(), Verify::everything);
  for (std::size_t i = 1; i < options.others.size(); ++i) {
    index.merge(CodeIndex::load(options.others[i], Verify::everything));
  }
  finish(index, options, session);
}

void add_code_options(Command& command, IndexOptions& options) {
  command.input({"--model", "FILE", "Model file"}, options.model);
  command.inputs({"--features", "FILE...", "Feature vectors, one row per item"},
                 options.files.features);
  add_table_options(command, options.files.table);
  command.input({"--codes", "FILE", "Code file, in place of --features"}, options.codes);
  command.number({"--bits", "N", "Keep the first N bits of the codes alone"}, options.bits, 1);
  command.input({"--ids", "FILE",
                 "Ids of the items, one whole number per line (default: the next numbers, from 0)"},
                options.files.ids);
}

void add_writing_options(Command& command, IndexOptions& options, Session& session) {
  command.flag("--tables", options.tables,
               "Also build and store the tables of the multi-index, for single queries");
  add_threads_option(command, session);
  add_output_options(command, session);
}

void add_index_file(Command& command, IndexOptions& options) {
  command.input({"--index", "FILE", "Index file; it is replaced unless --out is given"},
                options.index, Need::required);
  command.output({"--out", "FILE", "Index file to write in its place"}, options.out);
}

/// A subcommand whose options are shared with its action.
using Define = void (*)(Command& command, IndexOptions& options);
using Run = void (*)(const IndexOptions& options, const Session& session);

struct Subcommand {
  const char* name;
  const char* summary;
  const char* examples;
  Define define;
  Run run;
};

constexpr Subcommand kSubcommands[] = {
    {"build", "Build an index from features and a model, or from codes",
     "  structhash index build --model m.shm --features x.npy --out items.shi\n"
     "  structhash index build --codes codes.shc --ids ids.txt --out items.shi\n",
     [](Command& command, IndexOptions& options) {
       add_code_options(command, options);
       add_stored_distance_option(command, options.distance);
       command.output({"--out", "FILE", "Index file to write"}, options.out, Need::required);
     },
     build},
    {"add", "Add codes to an index",
     "  structhash index add --index items.shi --model m.shm --features new.npy\n"
     "  structhash index add --index items.shi --codes new.shc --ids new-ids.txt\n",
     [](Command& command, IndexOptions& options) {
       add_index_file(command, options);
       add_code_options(command, options);
     },
     add},
    {"remove", "Remove ids from an index",
     "  structhash index remove --index items.shi --ids old-ids.txt\n",
     [](Command& command, IndexOptions& options) {
       add_index_file(command, options);
       command.input({"--ids", "FILE", "Ids to remove, one per line"}, options.files.ids,
                     Need::required);
     },
     remove},
    {"merge", "Join indexes into one",
     "  structhash index merge --index a.shi b.shi --out all.shi\n",
     [](Command& command, IndexOptions& options) {
       command.inputs({"--index", "FILE...", "Index files"}, options.others, Need::required);
       command.output({"--out", "FILE", "Index file to write"}, options.out, Need::required);
     },
     merge},
};

}  // namespace

void add_index(CLI::App& app, Session& session) {
  const CommandGroup group(
      app, "index", "Build and change indexes of codes with ids",
      "  structhash index build --model m.shm --features x.npy --out items.shi\n"
      "  structhash index info items.shi\n");
  for (const Subcommand& entry : kSubcommands) {
    Command command(group.commands(), entry.name, entry.summary, entry.examples);
    auto options = std::make_shared<IndexOptions>();
    entry.define(command, *options);
    add_writing_options(command, *options, session);
    command.action([options, &session, run = entry.run] { run(*options, session); });
  }
  Command info(group.commands(), "info", "Describe an index",
               "  structhash index info items.shi\n");
  auto path = std::make_shared<std::string>();
  info.input({"file", "FILE", "Index file"}, *path, Need::required);
  add_output_options(info, session);
  info.action([path, &session] {
    print_index(*path, CodeIndex::load(*path, Verify::everything), session);
  });
}

}  // namespace structhash::cli
