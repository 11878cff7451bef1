#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "inputs.hpp"
#include "interrupt.hpp"
#include "memory_limit.hpp"
#include "memory_plan.hpp"
#include "session.hpp"
#include "stopwatch.hpp"
#include "structhash/codes/code_io.hpp"
#include "structhash/hashing/model_io.hpp"

namespace structhash::cli {
namespace {

struct EncodeOptions {
  std::string model;
  DataFiles files;
  std::string codes;
};

void run(const EncodeOptions& options, const Session& session) {
  if (session.memory_limit > 0.0) {
    check_memory_limit(session.memory_limit,
                       memory_of_encoding(options.model, options.files, session.thread_count()),
                       "raise the limit; files of any size need no more, they are read in blocks");
  }
  const auto [model, identity] = load_model_with_identity(options.model);
  note_columns(options.files);
  ProgressDisplay display(session.color);
  Stopwatch watch;
  CodeFileWriter file(options.codes, model.bits(), identity);
  encode_blocks(model, options.files, session.thread_count(), display.callback(),
                [&file](const CodeMatrix& codes) { file.append(codes); });
  stop_if_interrupted();
  file.finish();
  const double seconds = watch.lap();
  display.clear();
  if (session.json) {
    const nlohmann::ordered_json json{{"model", options.model}, {"codes", options.codes},
                                      {"rows", file.rows()},    {"bits", model.bits()},
                                      {"seconds", seconds},     {"version", STRUCTHASH_VERSION}};
    print_data(json_text(json));
  } else {
    print_data(fmt::format("{} codes of {} bits written to {}\n", file.rows(), model.bits(),
                           options.codes));
  }
}

}  // namespace

void add_encode(CLI::App& app, Session& session) {
  Command command(
      app, "encode", "Turn feature vectors into binary codes",
      "  structhash encode --model model.shm --features x.npy --codes codes.shc\n"
      "  structhash encode --model model.shm --features part1.fvecs part2.fvecs --codes all.shc\n");
  auto options = std::make_shared<EncodeOptions>();
  command.input({"--model", "FILE", "Model file"}, options->model, Need::required);
  add_feature_options(command, options->files);
  command.output({"--codes", "FILE", "Code file to write"}, options->codes, Need::required);
  add_threads_option(command, session);
  add_memory_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
