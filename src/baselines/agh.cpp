#include "baselines/agh.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "baselines/anchor_graph.hpp"
#include "baselines/kmeans.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kAnchors = 300;

const char* name_of(const AghParams& params) {
  return params.layers == 1 ? "agh1" : "agh";
}

class Agh final : public Hasher {
 public:
  explicit Agh(const AghParams& params) : params_(params) { check(params); }
  HashModel fit(const TrainingSet& data, const FitContext& context) const override {
    return fit_agh(data, params_, context);
  }

 private:
  AghParams params_;
};

Index anchor_count(const AghParams& params, Index rows) {
  if (params.anchors == 0) {
    return std::min(kAnchors, (rows + 1) / 2);
  }
  if (params.anchors > rows) {
    fail(Errc::bad_data,
         fmt::format("{}: {} anchors for {} training rows; ask for fewer anchors or "
                     "give more rows",
                     name_of(params), params.anchors, rows));
  }
  return params.anchors;
}

std::unique_ptr<Hasher> make(Index layers, const MethodOptions& options) {
  OptionReader reader(layers == 1 ? "agh1" : "agh", options);
  const AghParams missing;
  const AghParams params{.bits = options.bits,
                         .layers = layers,
                         .anchors = reader.integer("anchors", missing.anchors),
                         .neighbours = reader.integer("neighbours", missing.neighbours),
                         .iterations = reader.integer("iterations", missing.iterations)};
  reader.finish();
  return std::make_unique<Agh>(params);
}

}  // namespace

void check(const AghParams& params) {
  const std::string name = name_of(params);
  require(params.bits >= 1, name + ": bits must be at least 1");
  require(params.layers == 1 || params.layers == 2, name + ": layers must be 1 or 2");
  require(params.anchors == 0 || params.anchors >= 2, name + ": anchors must be at least 2");
  require(params.neighbours >= 1, name + ": neighbours must be at least 1");
  require(params.iterations >= 0, name + ": iterations must be at least 0");
}

/// bit = [ y > 0 ],  y = z W: the smoothest functions on the anchor graph; the second layer cuts
/// both sides of every y once more (docs/methods.md C.4).
HashModel fit_agh(const TrainingSet& data, const AghParams& params, const FitContext& context) {
  check(params);
  check(data, Supervision::none, context.threads);
  const Index anchors = anchor_count(params, data.x.rows());
  if (params.neighbours > anchors) {
    fail(Errc::bad_data, fmt::format("{}: {} neighbours of {} anchors; ask for fewer neighbours or "
                                     "more anchors",
                                     name_of(params), params.neighbours, anchors));
  }
  TrainingGraph graph(data.x,
                      kmeans(data.x, anchors, params.iterations, context.seed.fork("agh"),
                             context.threads, context.on_progress),
                      params.neighbours, context.threads);
  const Index wanted = params.layers == 1 ? params.bits : (params.bits + 1) / 2;
  const Matrix<double> functions = graph.smoothest_functions(wanted);
  if (functions.rows() == 0) {
    fail(
        Errc::bad_data,
        fmt::format("{}: the anchor graph of {} anchors falls into pieces or is constant, and no "
                    "function on it is left to make bits of; give more rows, other anchors or more "
                    "neighbours",
                    name_of(params), anchors));
  }
  const nlohmann::json parameters{{"bits", params.bits},
                                  {"anchors", anchors},
                                  {"neighbours", params.neighbours},
                                  {"iterations", params.iterations},
                                  {"seed", context.seed.value}};
  return {.method = name_of(params),
          .parameters = parameters.dump(),
          .encoder = graph.encoder(functions, params.bits, params.layers),
          .bit_weights = {}};
}

std::unique_ptr<Hasher> make_agh(const MethodOptions& options) {
  return make(2, options);
}

std::unique_ptr<Hasher> make_agh1(const MethodOptions& options) {
  return make(1, options);
}

}  // namespace structhash
