#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "structhash/baselines/methods.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

HashModel truncate(const HashModel& model, Index bits) {
  const auto entry = std::ranges::find(methods(), model.method, &MethodEntry::name);
  require(bits == model.bits() || entry == methods().end() || entry->nested,
          fmt::format("{} has no nested codes: its bits depend on their number; train a model of "
                      "{} bits",
                      model.method, bits));
  HashModel first = model;
  first.encoder = first_bits(model.encoder, bits);
  if (model.query_encoder) {
    first.query_encoder = first_bits(*model.query_encoder, bits);
  }
  if (bits < model.bits()) {
    const auto count = static_cast<std::size_t>(bits);
    first.bit_weights.assign(std::min(first.bit_weights.size(), count), 1.0F);
    first.mean_magnitudes.resize(std::min(first.mean_magnitudes.size(), count));
    nlohmann::json parameters = nlohmann::json::parse(model.parameters);
    parameters["bits"] = bits;
    parameters.emplace("truncated_from", model.bits());  // the first time counts
    first.parameters = parameters.dump();
  }
  return first;
}

}  // namespace structhash
