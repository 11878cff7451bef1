#include "structhash/hashing/model_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <optional>

#include "codes/conventions.hpp"
#include "core/json_fields.hpp"
#include "hashing/sections.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr std::string_view kKind = "model";
constexpr std::string_view kWeights = "bit-weights";
constexpr std::string_view kMagnitudes = "mean-magnitudes";
constexpr std::string_view kTraining = "training-rows";
constexpr std::string_view kProjection = "projection";
constexpr std::string_view kQueryPrefix = "query-";  // of the sections of the query encoder

/// Loads the alternative of the variant that has this name, whichever it is.
template <typename... Parts>
std::optional<std::variant<Parts...>> load_encoder(const Container& file, std::string_view name,
                                                   std::type_identity<std::variant<Parts...>>) {
  std::optional<std::variant<Parts...>> encoder;
  static_cast<void>(((name == Parts::kName && (encoder = Parts::load(file), true)) || ...));
  return encoder;
}

Encoder load_encoder(const Container& file, std::string_view name) {
  auto encoder = load_encoder(file, name, std::type_identity<Encoder>{});
  if (!encoder) {
    fail(Errc::corrupt_file,
         fmt::format("{} holds an encoder '{}' that this program does not know; use the structhash "
                     "release that wrote it or a newer one",
                     file.path(), name));
  }
  return std::move(*encoder);
}

/// "linear", or "linear+kernel" with an encoder of queries: programs that do not know these refuse
/// the file.
std::string encoder_names(const HashModel& model) {
  std::string names(encoder_name(model.encoder));
  return model.query_encoder ? fmt::format("{}+{}", names, encoder_name(*model.query_encoder))
                             : names;
}

bool has_section(const Container& file, std::string_view name) {
  return std::ranges::find(file.sections(), name, &Section::name) != file.sections().end();
}

/// Nothing if the file does not have the section.
template <typename T>
std::vector<T> optional_section(const Container& file, std::string_view name) {
  if (!has_section(file, name)) {
    return {};
  }
  const auto numbers = file.array<T>(name);
  return {numbers.begin(), numbers.end()};
}

}  // namespace

void save_model(const HashModel& model, const std::string& path) {
  check(model);
  ContainerWriter file(path, kKind);
  std::visit([&](const auto& encoder) { encoder.save(file); }, model.encoder);
  if (!model.bit_weights.empty()) {
    file.add(kWeights, std::span(model.bit_weights));
  }
  if (!model.mean_magnitudes.empty()) {
    file.add(kMagnitudes, std::span(model.mean_magnitudes));
  }
  if (model.training.count > 0) {
    file.add(kTraining, std::span(model.training.filter));
  }
  if (!model.projection.empty()) {
    add_matrix(file, kProjection, model.projection.directions);
  }
  if (model.query_encoder) {
    file.set_prefix(kQueryPrefix);
    std::visit([&](const auto& encoder) { encoder.save(file); }, *model.query_encoder);
  }
  nlohmann::json header{{"method", model.method},
                        {"parameters", nlohmann::json::parse(model.parameters)},
                        {"encoder", encoder_names(model)},
                        {"bits", model.bits()},
                        {"dimension", model.dimension()},
                        {"distance", model.bit_weights.empty() ? "hamming" : "weighted"},
                        {"bit_order", kBitOrder},
                        {"threshold", kThresholdRule}};
  if (model.training.count > 0) {
    header["training_rows"] = model.training.count;
  }
  if (model.query_encoder) {
    header["query_dimension"] = encoder_dimension(*model.query_encoder);
  }
  file.commit(header.dump());
}

LoadedModel load_model_with_identity(const std::string& path) {
  const Container file(path, kKind);
  const JsonFields header(file);
  header.expect_text("bit_order", kBitOrder);
  header.expect_text("threshold", kThresholdRule);
  const std::string names = header.text("encoder");
  const std::size_t plus = names.find('+');
  HashModel model{.method = header.text("method"),
                  .parameters = nlohmann::json::parse(header.object("parameters")).dump(),
                  .encoder = load_encoder(file, names.substr(0, plus)),
                  .bit_weights = optional_section<float>(file, kWeights),
                  .mean_magnitudes = optional_section<float>(file, kMagnitudes)};
  if (auto filter = optional_section<std::uint64_t>(file, kTraining); !filter.empty()) {
    model.training = {header.count("training_rows"), std::move(filter)};
    if (model.training.count == 0 || !std::has_single_bit(model.training.filter.size())) {
      file.fail_corrupt("its record of training rows has a wrong size");
    }
  }
  if (has_section(file, kProjection)) {
    model.projection.directions = read_matrix(file, kProjection);
  }
  if (plus != std::string::npos) {
    model.query_encoder = load_encoder(file.part(kQueryPrefix), names.substr(plus + 1));
    if (header.count("query_dimension") != encoder_dimension(*model.query_encoder)) {
      file.fail_corrupt("its query_dimension is not that of its encoder of queries");
    }
  }
  header.expect_text("distance", model.bit_weights.empty() ? "hamming" : "weighted");
  if (header.count("bits") != model.bits() || header.count("dimension") != model.dimension()) {
    file.fail_corrupt("the sizes in its header are not those of its encoder");
  }
  try {
    check(model);
  } catch (const Error& error) {
    file.fail_corrupt(error.what());
  }
  return {std::move(model), file.identity()};
}

HashModel load_model(const std::string& path) {
  return load_model_with_identity(path).model;
}

}  // namespace structhash
