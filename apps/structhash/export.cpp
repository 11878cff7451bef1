#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "session.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

constexpr const char* kExamples =
    "  structhash export clickhouse codes.shc --model model.shm --out clickhouse/\n"
    "  structhash export pgvector codes.shc --model model.shm --out pgvector/\n"
    "  structhash export faiss codes.shc --out faiss/\n"
    "  structhash export parquet codes.shc --out parquet/\n"
    "  structhash export onnx model.shm --out encoder.onnx\n"
    "  python3 -m structhash export pgvector --help   (all options)\n";

/// Runs `python -m structhash export`, with a clear error if the package is missing.
constexpr const char* kProgram =
    "import sys\n"
    "try:\n"
    "    from structhash.__main__ import main\n"
    "except ImportError as error:\n"
    "    print('structhash: error: export needs the Python package (pip install structhash):', "
    "error, file=sys.stderr)\n"
    "    sys.exit(2)\n"
    "sys.exit(main(['export', *sys.argv[1:]]))\n";

/// The Python package writes Parquet files, Faiss indexes, SQL and ONNX: it has the libraries.
/// This process becomes the Python process.
[[noreturn]] void run(std::vector<std::string> words) {
  const char* chosen = std::getenv("STRUCTHASH_PYTHON");
  std::string python = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
  words.insert(words.begin(), {python, "-c", kProgram});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  ::execvp(python.c_str(), arguments.data());
  fail(Errc::usage, "export needs Python with the package structhash; cannot start " + python +
                        ": " + std::strerror(errno) +
                        ". Install it, or set STRUCTHASH_PYTHON to another Python");
}

}  // namespace

void add_export(CLI::App& app, Session& /*session*/) {
  Command command(app, "export", "Write codes for a search engine, or the encoder as ONNX",
                  kExamples);
  command.pass_on([](std::vector<std::string> words) { run(std::move(words)); });
}

}  // namespace structhash::cli
