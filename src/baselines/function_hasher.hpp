#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "baselines/kernel_features.hpp"
#include "structhash/hashing/hasher.hpp"

/// What the methods of this folder have in common: parameters and a function that fits.
namespace structhash {

template <typename Params>
class FunctionHasher final : public Hasher {
 public:
  using Fit = HashModel (*)(const TrainingSet&, const Params&, const FitContext&);
  FunctionHasher(Params params, Fit function) : params_(std::move(params)), fit_(function) {
    check(params_);
  }
  HashModel fit(const TrainingSet& data, const FitContext& context) const override {
    return fit_(data, params_, context);
  }

 private:
  Params params_;
  Fit fit_;
};

template <typename Params>
std::unique_ptr<Hasher> make_hasher(Params params,
                                    HashModel (*fit)(const TrainingSet&, const Params&,
                                                     const FitContext&)) {
  return std::make_unique<FunctionHasher<Params>>(std::move(params), fit);
}

/// What every model says about its training: bits, seed and features.
inline nlohmann::json describe(Index bits, Seed seed, const FeatureOptions& features) {
  nlohmann::json json{{"bits", bits}, {"seed", seed.value}, {"functions", features.functions}};
  if (features.functions == "kernel") {
    json["anchors"] = features.anchors;
    json["width"] = features.width;
  }
  return json;
}

}  // namespace structhash
