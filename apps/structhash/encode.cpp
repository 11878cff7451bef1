#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "codes/code_export.hpp"
#include "core/atomic_file.hpp"
#include "data/npy_write.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "memory_limit.hpp"
#include "memory_plan.hpp"
#include "session.hpp"
#include "stopwatch.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/codes/code_io.hpp"
#include "structhash/core/error.hpp"
#include "structhash/hashing/model_io.hpp"

namespace structhash::cli {
namespace {

struct EncodeOptions {
  std::string model;
  DataFiles files;
  std::string codes;
  std::string ids;  // empty: not written
  Index bits = 0;   // the first of the model's; 0: all
  bool as_queries = false;
};

Index encode_to_file(const HashModel& model, const std::string& identity,
                     const EncodeOptions& options, const Session& session,
                     const ProgressCallback& on_progress) {
  CodeFileWriter file(options.codes, model.bits(), identity);
  encode_blocks(model, options.files, session.thread_count(), on_progress,
                [&file](const CodeMatrix& codes) { file.append(codes); });
  stop_if_interrupted();
  file.finish();
  return file.rows();
}

/// Rows of bytes, least significant bit first, as `convert --to npy` writes them.
Index encode_to_array(const HashModel& model, const EncodeOptions& options, const Session& session,
                      const ProgressCallback& on_progress) {
  NpyWriter file(options.codes, "|u1", 1, (model.bits() + 7) / 8);
  encode_blocks(model, options.files, session.thread_count(), on_progress,
                [&](const CodeMatrix& codes) {
                  std::string bytes;
                  for (Index row = 0; row < codes.rows(); ++row) {
                    append_bytes(codes.row(row), model.bits(), BitOrder::little, bytes);
                  }
                  file.append(std::as_bytes(std::span(bytes.data(), bytes.size())));
                });
  stop_if_interrupted();
  file.finish();
  return file.rows();
}

void write_ids(const EncodeOptions& options) {
  std::string text;
  for (const std::string& id : load_ids(options.files.features, options.files.feature_options())) {
    text += id + "\n";
  }
  AtomicFile file(options.ids);
  file.write(text);
  file.commit();
}

void run(EncodeOptions options, const Session& session) {
  require(options.ids.empty() || !options.files.table.id_column.empty(),
          "--ids writes the ids of --id-column; name that column");
  if (session.memory_limit > 0.0) {
    check_memory_limit(session.memory_limit,
                       memory_of_encoding(options.model, options.files, session.thread_count()),
                       "raise the limit; files of any size need no more, they are read in blocks");
  }
  const auto [whole, identity] = load_model_with_identity(options.model);
  HashModel model = options.bits > 0 ? truncate(whole, options.bits) : whole;
  model = options.as_queries ? query_model(model) : model;
  read_through_projection(model, {&options.files});
  note_columns(options.files);
  ProgressDisplay display(session.color);
  Stopwatch watch;
  const Index rows = options.codes.ends_with(".npy")
                         ? encode_to_array(model, options, session, display.callback())
                         : encode_to_file(model, identity, options, session, display.callback());
  if (!options.ids.empty()) {
    write_ids(options);
  }
  const double seconds = watch.lap();
  display.clear();
  if (session.json) {
    const nlohmann::ordered_json json{{"model", options.model}, {"codes", options.codes},
                                      {"rows", rows},           {"bits", model.bits()},
                                      {"seconds", seconds},     {"version", STRUCTHASH_VERSION}};
    print_data(json_text(json));
  } else {
    print_data(
        fmt::format("{} codes of {} bits written to {}\n", rows, model.bits(), options.codes));
  }
}

}  // namespace

void add_encode(CLI::App& app, Session& session) {
  Command command(
      app, "encode", "Turn feature vectors into binary codes",
      "  structhash encode --model model.shm --features x.npy --codes codes.shc\n"
      "  structhash encode --model model.shm --features part1.fvecs part2.fvecs --codes all.shc\n"
      "  structhash encode --model model.shm --features x.csv --id-column name --ids ids.txt \\\n"
      "             --codes codes.npy\n");
  auto options = std::make_shared<EncodeOptions>();
  command.input({"--model", "FILE", "Model file"}, options->model, Need::required);
  add_feature_options(command, options->files);
  command.output(
      {"--codes", "FILE", "Code file to write; a name that ends in .npy gives an array of bytes"},
      options->codes, Need::required);
  command.number({"--bits", "N", "Write the first N bits of the codes alone"}, options->bits, 1);
  command.flag("--as-queries", options->as_queries,
               "The rows are queries: encode them so with a model of two encoders");
  command.output({"--ids", "FILE", "Also write the ids of --id-column, one per line"},
                 options->ids);
  add_threads_option(command, session);
  add_memory_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
