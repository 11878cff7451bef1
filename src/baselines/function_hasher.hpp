#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "hashing/option_table.hpp"
#include "structhash/hashing/hasher.hpp"

/// A method from its option table and its fit function.
namespace structhash {

template <typename Params>
using FitFunction = HashModel (*)(const TrainingSet&, const Params&, const FitContext&);

template <typename Params>
class FunctionHasher final : public Hasher {
 public:
  FunctionHasher(Params params, FitFunction<Params> function)
      : params_(std::move(params)), fit_(function) {}
  HashModel fit(const TrainingSet& data, const FitContext& context) const override {
    return fit_(data, params_, context);
  }

 private:
  Params params_;
  FitFunction<Params> fit_;
};

template <typename Params, typename Table>
std::unique_ptr<Hasher> make_hasher(std::string_view method, const Table& table,
                                    FitFunction<Params> fit, const MethodOptions& options) {
  return std::make_unique<FunctionHasher<Params>>(read_options<Params>(method, table, options),
                                                  fit);
}

/// An encoder, and what training chose or found out itself: fields of the model's parameters.
struct Fitted {
  Encoder encoder;
  nlohmann::json learned = nlohmann::json::object();
};

/// The model of a method without bit weights.  Its parameters are the options that were used, the
/// seed, and what training chose or found out itself (`learned`).
template <typename Params, typename Table>
HashModel make_model(std::string_view method, const Table& table, const Params& params, Seed seed,
                     Encoder encoder, const nlohmann::json& learned = nlohmann::json::object()) {
  nlohmann::json parameters = to_json(table, params);
  parameters["seed"] = seed.value;
  parameters.update(learned);
  return {.method = std::string(method),
          .parameters = parameters.dump(),
          .encoder = std::move(encoder),
          .bit_weights = {}};
}
template <typename Params, typename Table>
HashModel make_model(std::string_view method, const Table& table, const Params& params, Seed seed,
                     Fitted fitted) {
  return make_model(method, table, params, seed, std::move(fitted.encoder), fitted.learned);
}

}  // namespace structhash
