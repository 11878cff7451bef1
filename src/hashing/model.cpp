#include "structhash/hashing/model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "core/json_text.hpp"
#include "hashing/adaptive.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

/// Nothing, or one finite number of at least 0 per bit.
void check_per_bit(std::span<const float> numbers, Index bits, std::string_view name) {
  require(numbers.empty() || std::ssize(numbers) == bits,
          fmt::format("a model of {} bits has {} {}s", bits, numbers.size(), name));
  for (const float number : numbers) {
    require(std::isfinite(number) && number >= 0.0F,
            fmt::format("a {} is {}; {}s must be finite and at least 0", name, number, name));
  }
}

}  // namespace

void check(const HashModel& model) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789-";
  require(!model.method.empty() && model.method.find_first_not_of(allowed) == std::string::npos,
          "the method of a model must be a name of lower-case letters, digits and '-'");
  require(parse_json<nlohmann::json>(model.parameters).is_object(),
          "the parameters of a model must be a JSON object");
  std::visit([](const auto& encoder) { encoder.check(); }, model.encoder);
  require(
      model.projection.empty() || (model.projection.outputs() == encoder_dimension(model.encoder) &&
                                   model.projection.directions.allFinite()),
      "the projection of a model must be finite and give what its encoder takes");
  if (model.query_encoder) {
    std::visit([](const auto& encoder) { encoder.check(); }, *model.query_encoder);
    require(encoder_bits(*model.query_encoder) == model.bits() && has_magnitudes(model.encoder) &&
                has_magnitudes(*model.query_encoder) && model.projection.empty(),
            "a model with an encoder of queries needs two linear or kernel encoders of as many "
            "bits, and no projection");
  }
  check_per_bit(model.bit_weights, model.bits(), "bit weight");
  check_per_bit(model.mean_magnitudes, model.bits(), "mean magnitude");
}

void require_finite(const MatrixView& x, const std::string& what, Threads threads) {
  const auto check_row = [&](Index row) {
    // A finite sum of squares has finite terms; it vectorises, and only large values miss it.
    if (std::isfinite(x.row(row).squaredNorm()) || x.row(row).allFinite()) {
      return;
    }
    Index column = 0;
    while (std::isfinite(x(row, column))) {
      ++column;
    }
    fail(Errc::bad_data, fmt::format("{}: row {}, column {} is {}; values must be finite", what,
                                     row + 1, column + 1, x(row, column)));
  };
  constexpr Index kRowsPerChunk = 1024;
  parallel_for(x.rows(), threads, kRowsPerChunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      check_row(row);
    }
  });
}

CodeMatrix encode(const HashModel& model, const MatrixView& x, Threads threads) {
  require_finite(x, "features", threads);
  return model.projection.empty() ? encode(model.encoder, x, threads)
                                  : encode(model, sparse_rows(x), threads);
}

HashModel query_model(const HashModel& model) {
  HashModel queries = model;
  if (model.query_encoder) {
    queries.encoder = *model.query_encoder;
    queries.query_encoder.reset();
  }
  return queries;
}

CodeMatrix encode_queries(const HashModel& model, const MatrixView& x, Threads threads) {
  if (!model.query_encoder) {
    return encode(model, x, threads);
  }
  require_finite(x, "query features", threads);
  return encode(*model.query_encoder, x, threads);
}

CodeMatrix encode(const HashModel& model, const SparseRows& x, Threads threads) {
  return encode(model.encoder, encoder_inputs(model, x, threads), threads);
}

Matrix<float> encoder_inputs(const HashModel& model, const SparseRows& x, Threads threads) {
  if (model.projection.empty()) {
    fail(Errc::usage,
         "this model was trained on dense features and cannot take sparse ones; make "
         "them dense");
  }
  check(x);
  return project(model.projection, x, threads);
}

}  // namespace structhash
