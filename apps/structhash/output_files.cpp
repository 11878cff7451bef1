#include "output_files.hpp"

#include <nlohmann/json.hpp>
#include <ostream>
#include <streambuf>

#include "core/atomic_file.hpp"
#include "evaluation/trec_run.hpp"
#include "interrupt.hpp"
#include "structhash/evaluation/curves.hpp"

namespace structhash::cli {
namespace {

/// An output stream buffer that writes to an AtomicFile.
class AtomicFileBuffer final : public std::streambuf {
 public:
  explicit AtomicFileBuffer(AtomicFile& file) : file_(file) {}

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    file_.write(text, static_cast<std::size_t>(size));
    return size;
  }
  int_type overflow(int_type character) override {
    if (!traits_type::eq_int_type(character, traits_type::eof())) {
      const char one = traits_type::to_char_type(character);
      file_.write(&one, 1);
    }
    return traits_type::not_eof(character);
  }

 private:
  AtomicFile& file_;
};

}  // namespace

void write_run_file(const std::string& path, const EvaluationData& data, const BitWeights& weights,
                    Index depth, const std::string& tag, int threads) {
  AtomicFile file(path);
  AtomicFileBuffer buffer(file);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);  // rethrows errors of the file
  write_trec_run(out, data.database, data.queries, weights, data.query_ids, data.item_ids,
                 {.depth = depth, .tag = tag, .threads = interruptible(threads)});
  file.commit();
}

void write_curves_file(const std::string& path, const EvaluationData& data,
                       const BitWeights& weights, const EvaluationOptions& options) {
  const Curves curves =
      evaluate_curves(data.database, data.queries, weights, data.truth, CurveOptions{}, options);
  const nlohmann::ordered_json json{
      {"precision_recall",
       {{"recall", curves.recall_levels}, {"precision", curves.precision_at_recall}}},
      {"ranks",
       {{"rank", curves.ranks},
        {"precision", curves.precision_at_rank},
        {"recall", curves.recall_at_rank}}},
      {"radius",
       {{"radius", curves.radii},
        {"precision", curves.precision_in_radius},
        {"recall", curves.recall_in_radius}}},
      {"queries_without_relevant", curves.queries_without_relevant}};
  AtomicFile file(path);
  file.write(json.dump(2) + "\n");
  file.commit();
}

}  // namespace structhash::cli
