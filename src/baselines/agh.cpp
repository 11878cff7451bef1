#include "baselines/agh.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "baselines/anchor_graph.hpp"
#include "hashing/kmeans.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kMaxAutoAnchors = 300;

struct Variant {
  const char* name;
  Index layers;  // thresholds per eigenvector
};

Index anchor_count(const Variant& variant, const AghParams& params, Index rows) {
  const Index anchors = params.anchors.value_or(std::min(kMaxAutoAnchors, (rows + 1) / 2));
  if (anchors > rows) {
    fail(Errc::bad_data,
         fmt::format("{}: {} anchors for {} training rows; use fewer anchors or more rows",
                     variant.name, anchors, rows));
  }
  if (params.neighbours > anchors) {
    fail(Errc::bad_data,
         fmt::format("{}: {} neighbours of {} anchors; use fewer neighbours or more anchors",
                     variant.name, params.neighbours, anchors));
  }
  return anchors;
}

/// bit = [ y > 0 ],  y = z W: the smoothest functions on the anchor graph; the second layer cuts
/// both sides of every y once more (docs/methods.md C.4).
HashModel fit_variant(const Variant& variant, const TrainingSet& data, const AghParams& params,
                      const FitContext& context) {
  check(data, Supervision::none, context.threads);
  const Index anchors = anchor_count(variant, params, data.x.rows());
  TrainingGraph graph(data.x,
                      kmeans(data.x, anchors, params.iterations, context.seed.fork("agh"),
                             context.threads, context.on_progress),
                      params.neighbours, context.threads);
  const Index wanted = variant.layers == 1 ? params.bits : (params.bits + 1) / 2;
  const Matrix<double> functions = graph.smoothest_functions(wanted);
  if (functions.rows() == 0) {
    fail(Errc::bad_data,
         fmt::format("{}: no hash function is left on the graph of {} anchors, which is constant "
                     "or not connected; use more rows, other anchors or more neighbours",
                     variant.name, anchors));
  }
  return make_model(variant.name, kAghOptions, params, context.seed,
                    graph.encoder(functions, params.bits, variant.layers), {{"anchors", anchors}});
}

}  // namespace

HashModel fit_agh(const TrainingSet& data, const AghParams& params, const FitContext& context) {
  return fit_variant({"agh", 2}, data, params, context);
}

HashModel fit_agh1(const TrainingSet& data, const AghParams& params, const FitContext& context) {
  return fit_variant({"agh1", 1}, data, params, context);
}

}  // namespace structhash
