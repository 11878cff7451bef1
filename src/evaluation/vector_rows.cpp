#include "evaluation/vector_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/linalg.hpp"
#include "evaluation/product_quantizer.hpp"

namespace structhash {
namespace {

constexpr Index kRounds = 15;  // of k-means

ResultRow fixed_row(std::string method, std::string distance, Index bits,
                    const FitContext& context) {
  ResultRow row;
  row.method = std::move(method);
  row.params = "{}";
  row.bits = bits;
  row.seed = context.seed.value;
  row.distance = std::move(distance);
  row.fixed_size = true;
  return row;
}

Matrix<float> unit_rows(const MatrixView& x) {
  Matrix<float> unit = x;
  for (auto row : unit.rowwise()) {
    row.normalize();  // a row of zeros stays one
  }
  return unit;
}

}  // namespace

DetailedRow cosine_row(const RetrievalTask& task, std::span<const std::string> measures,
                       const FitContext& context) {
  const Matrix<float> similar = product_abt(unit_rows(task.queries.features),
                                            unit_rows(task.database.features), context.threads);
  const DistanceSource distances = [&](Index query, std::span<double> row) {
    std::ranges::transform(similar.row(query), row.begin(),
                           [](float value) { return -static_cast<double>(value); });
  };
  return evaluate_ranking(
      task, distances, fixed_row("float cosine", "cosine", 32 * task.database.dimension(), context),
      measures, context);
}

DetailedRow sign_row(const RetrievalTask& task, std::span<const std::string> measures,
                     const FitContext& context) {
  const Index columns = task.database.dimension();
  HashModel model{.method = "sign bits",
                  .encoder = LinearEncoder{.directions = Matrix<float>::Identity(columns, columns),
                                           .offsets = Vector<float>::Zero(columns)}};
  const ResultRow known = fixed_row(model.method, "hamming", columns, context);
  return evaluate_model(task, model, known, measures, context).front();
}

DetailedRow quantiser_row(const RetrievalTask& task, Index bytes,
                          std::span<const std::string> measures, const FitContext& context) {
  const auto start = std::chrono::steady_clock::now();
  Matrix<float> known(task.training.x.rows() + task.database.size(), task.database.dimension());
  known << task.training.x, task.database.features;
  const ProductQuantizer quantizer(known, bytes, kRounds, context.seed.fork("quantiser"),
                                   context.threads);
  const std::chrono::duration<double> training = std::chrono::steady_clock::now() - start;
  const Matrix<std::uint8_t> codes = quantizer.encode(task.database.features, context.threads);
  const DistanceSource distances = [&](Index query, std::span<double> row) {
    quantizer.distances(task.queries.features.row(query), codes, row);
  };
  ResultRow row = fixed_row("product quantiser", "asymmetric", 8 * bytes, context);
  row.train_seconds = training.count();
  return evaluate_ranking(task, distances, row, measures, context);
}

}  // namespace structhash
