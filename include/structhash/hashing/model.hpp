#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "structhash/core/parallel.hpp"
#include "structhash/data/sparse_rows.hpp"
#include "structhash/hashing/encoder.hpp"

/// What learning returns: a plain value.  Encoding, searching, saving and Python know only this.
namespace structhash {

/// What a model remembers of its training rows: a bit map of the hashes of a random sample of them,
/// at most 4 KiB.  It recognises an evaluation whose queries are training rows.
struct TrainingRows {
  Index count = 0;                      // 0: not known
  std::vector<std::uint64_t> filter{};  // the number of its bits is a power of 2
  bool operator==(const TrainingRows&) const = default;
};

/// The filter of the rows x, which are some or all of `count` training rows; filters of parts are
/// joined by "or".
TrainingRows remember_rows(const MatrixView& x, Index count);

enum class RowMatch : std::uint8_t { not_sampled, absent, present };
/// `present` for every sampled training row, and by chance for up to half of the other rows.
RowMatch match(const TrainingRows& training, std::span<const float> row);
/// Estimated share of training rows among the rows; 0 if it could be chance (4 standard errors) or
/// is below 5 %.
double share_of_training_rows(const TrainingRows& training, std::span<const RowMatch> rows);

struct HashModel {
  std::string method{};           // name in the method table
  std::string parameters = "{}";  // JSON object: what the model was trained with
  Encoder encoder{};
  std::vector<float> bit_weights{};  // empty: plain Hamming; otherwise one weight >= 0 per bit
  /// Mean |f_b| of the hash functions over training rows; empty: no adaptive distance.
  std::vector<float> mean_magnitudes{};
  TrainingRows training{};
  SparseProjection projection{};  // what sparse features pass through first; empty: they are dense
  /// Of queries of another kind (docs/adr/0033), linear or kernel; magnitudes and training rows are
  /// then those of queries.  Absent: queries are encoded as items are.
  std::optional<Encoder> query_encoder{};

  Index bits() const { return encoder_bits(encoder); }
  /// Of the features, before their projection.
  Index dimension() const {
    return projection.empty() ? encoder_dimension(encoder) : projection.inputs();
  }
  bool operator==(const HashModel&) const = default;
};

/// Throws unless every number is finite, weights are >= 0 and sizes agree.
void check(const HashModel& model);

/// Throws Errc::bad_data naming the first row and column (1-based) that is not a finite number;
/// `what` names the matrix in the message.
void require_finite(const MatrixView& x, const std::string& what, Threads threads);

/// Checks the features (dimension, finite values) and encodes them.  The code of a row depends on
/// the row alone: not on the batch, its order, the number of threads or the processor.
CodeMatrix encode(const HashModel& model, const MatrixView& x, Threads threads);
/// The same codes, for models with a projection.
CodeMatrix encode(const HashModel& model, const SparseRows& x, Threads threads);

/// The model of the queries: with a query encoder, one that encodes them as its items; else `model`
/// itself.
HashModel query_model(const HashModel& model);
/// The codes of queries:  encode(query_model(model), x, threads).
CodeMatrix encode_queries(const HashModel& model, const MatrixView& x, Threads threads);

/// What the encoder takes: dense features as they are, sparse ones projected.
Matrix<float> encoder_inputs(const HashModel& model, const SparseRows& x, Threads threads);

/// Queries of the adaptive distance (docs/adr/0026), rows x bits, from their values f:
///
///   v_b = sign(f_b) sqrt(weight_b) tanh(3 |f_b| / mean |f_b|)
///
/// A stored bit that differs from the sign of v_b adds |v_b| to the distance.  The values are those
/// of the query encoder, if there is one.  A row of the result depends on its row of x alone.
/// Throws as `encode` and `require_adaptive` do.
Matrix<float> adaptive_values(const HashModel& model, const MatrixView& x, Threads threads);

/// Throws Errc::usage, saying why, if the model has no adaptive distance.
void require_adaptive(const HashModel& model);

}  // namespace structhash
