#pragma once

#include <span>
#include <vector>

#include "core/row_range.hpp"
#include "hashing/families/response_space.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// Leave-one-out errors of ridge regressions on the features, in closed form (docs/adr/0018).
namespace structhash {

/// What hash functions have to find: random partitions of the classes, rows x targets.  A row has
/// the sum of the random signs of its labels.
///
///   E ||e(targets)||^2  is proportional to  ||e(label indicators)||^2
///
/// for any residual e that is linear in the targets, however many labels there are.
Matrix<float> partition_targets(const Labels& labels, Seed seed);
/// The same of lists: an item has the sum of the signs of the queries that it is relevant to, a
/// query those of its items, scaled to the size of one.
Matrix<float> partition_targets(std::span<const RelevanceList> lists, Index rows, Seed seed);

/// Mean squared error per ridge, every row left out in turn; of many rows, a sample of them.
/// The fit weighs components by their share under a whitening with this ridge and `power`.
std::vector<double> leave_one_out_errors(const ResponseSpace& space, const Matrix<float>& targets,
                                         std::span<const double> ridges, double power,
                                         Threads threads);

struct RidgeChoice {
  double ridge;
  double error;
};

/// The ridge with the smallest error, of 25 from 1e-7 to 0.1.
RidgeChoice leave_one_out_ridge(const ResponseSpace& space, const Matrix<float>& targets,
                                double power, Threads threads);

/// What `width: auto` and `ridge: auto` choose by.  `seed` is that of the fit, here and below.
struct AutoTargets {
  enum class Origin { none, labels, judgments, neighbours };

  AutoTargets(const Labels& labels, Seed seed);
  AutoTargets(const TrainingSet& data, Seed seed);  // of its labels or, without them, of its lists
  AutoTargets of(RowRange rows) const;

  Matrix<float> targets;
  Origin origin;
};

/// The kernel width with the smallest error on a sample of the rows, or that of `params` unless the
/// error falls by a tenth: widths near the default do equally well on most data.  Without labels it
/// is that of `params`.
double auto_width(const MatrixView& x, const AutoTargets& by, const KernelParams& params, Seed seed,
                  Threads threads);
/// Of a regression on the features: shares of power 1.
double auto_regression_ridge(const ResponseSpace& space, const AutoTargets& by, Threads threads);
/// Of the soft whitening that bits are learned on one by one.  Without labels it is `rule`; with
/// judgments linear functions have a smaller one where the errors say so (docs/adr/0036).
double auto_whitening_ridge(const ResponseSpace& space, const AutoTargets& by, Functions functions,
                            double rule, Threads threads);

}  // namespace structhash
