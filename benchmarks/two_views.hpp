#pragma once

#include <algorithm>
#include <utility>

#include "baselines/rotation.hpp"
#include "core/decompositions.hpp"
#include "core/linalg.hpp"
#include "data/label_indicator.hpp"
#include "hashing/families/response_space.hpp"
#include "training.hpp"

/// Queries and items of two kinds: the left and the right halves of images.  What two encoders are
/// compared with.
namespace structhash::bench {

/// The columns begin .. end - 1 of every image, whose rows have `width` pixels.
inline Matrix<float> columns_of_images(const MatrixView& images, Index width, RowRange columns) {
  const Index height = images.cols() / width;
  Matrix<float> part(images.rows(), height * columns.size());
  for (Index y = 0; y < height; ++y) {
    part.middleCols(y * columns.size(), columns.size()) =
        images.middleCols(y * width + columns.begin, columns.size());
  }
  return part;
}

/// The same images seen twice.
struct TwoViews {
  Matrix<float> queries;  // left halves
  Matrix<float> items;    // right halves
  Labels labels;
};

inline TwoViews halves(const Dataset& images, Index width) {
  return {columns_of_images(images.features, width, {0, width / 2}),
          columns_of_images(images.features, width, {width / 2, width}), images.labels};
}

/// The same class is relevant; both sides have labels.
inline TrainingSet training_set(const TwoViews& views, Seed seed) {
  TrainingSet set{.x = views.items,
                  .labels = vstack(views.labels, views.labels),
                  .lists = {},
                  .finite = true,
                  .queries = views.queries};
  set.lists =
      lists_from_labels(set.labels, {.items = set.x.rows()}, seed.fork("lists"), kThreads).lists;
  return set;
}

/// What canonical correlations are taken of: the components of a view, whitened with a ridge.
struct CanonicalView {
  CanonicalView(const MatrixView& x, double ridge) : space(x, Shards(x.rows()), kThreads) {
    const auto& [centre, variances, directions] = space.spectrum();
    const Vector<float> scales =
        (variances.array() + ridge * variances(0)).rsqrt().matrix().cast<float>();
    z = space.components() * scales.asDiagonal();
    map = {.centre = centre, .scale = {}, .matrix = directions * scales.asDiagonal()};
  }
  /// The encoder of the bits [ z D > 0 ].
  Encoder encoder(const Matrix<double>& directions) const {
    return make_encoder(space.basis(), fold(map, {directions.transpose(),
                                                  Vector<double>::Zero(directions.cols())}));
  }

  ResponseSpace space;
  Matrix<float> z;
  AffineMap map;
};

/// CCA-ITQ of two views (Gong, Lazebnik, Gordo, Perronnin, TPAMI 2013): the canonical directions of
/// the views, each times its correlation, and one rotation of both to the corners of a cube.
///
///   Z_q' Z_x / n = U diag(rho) V',   v_q = Z_q U diag(rho),   v_x = Z_x V diag(rho)
///
/// by_labels: of each view and the labels instead, which are what the views have in common,
///
///   v = Z (Z' Y (Y'Y)^(-1/2))   per view
inline HashModel paired_cca_itq(const TwoViews& train, Index bits, double ridge, bool by_labels,
                                Seed seed) {
  const CanonicalView queries(train.queries, ridge);
  const CanonicalView items(train.items, ridge);
  const double rows = to_double(train.items.rows());
  Matrix<double> of_queries;
  Matrix<double> of_items;
  if (by_labels) {
    Matrix<float> y = label_indicator(train.labels);
    const Vector<float> scales = y.colwise().sum().cwiseMax(1.0F).cwiseInverse().cwiseSqrt();
    y = (y.rowwise() - y.colwise().mean()).eval() * scales.asDiagonal();
    of_queries = product_atb(queries.z, y, kThreads) / std::sqrt(rows);
    of_items = product_atb(items.z, y, kThreads) / std::sqrt(rows);
  } else {
    const SingularVectors svd = singular_vectors(product_atb(queries.z, items.z, kThreads) / rows);
    const Index kept = std::min(bits, svd.values.size());
    of_queries = svd.left.leftCols(kept) * svd.values.head(kept).asDiagonal();
    of_items = svd.right.topRows(kept).transpose() * svd.values.head(kept).asDiagonal();
  }
  Matrix<float> both(queries.z.rows() + items.z.rows(), of_items.cols());
  both << product(queries.z, of_queries.cast<float>(), kThreads),
      product(items.z, of_items.cast<float>(), kThreads);
  const Matrix<double> rotation =
      itq_rotation(both, bits, {}, seed.fork("cca-itq"), kThreads, nullptr);
  return {.method = "cca-itq",
          .encoder = items.encoder(of_items * rotation),
          .query_encoder = queries.encoder(of_queries * rotation)};
}

/// mAP by plain Hamming distance, ties averaged; items are of other images than the queries.
inline double cross_map(const HashModel& model, const TwoViews& queries, const TwoViews& database) {
  const GroundTruth truth = GroundTruth::from_labels(queries.labels, database.labels);
  const std::vector<std::string> measures{"map"};
  return evaluate(encode(model, database.items, kThreads),
                  encode_queries(model, queries.queries, kThreads), BitWeights(), truth, measures,
                  {.threads = kThreads})
      .means.front();
}

}  // namespace structhash::bench
