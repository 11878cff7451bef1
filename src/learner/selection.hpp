#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "learner/structhash.hpp"
#include "ranking/gain_table.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/hashing/hasher.hpp"

/// Choosing what the user left open, on held-out queries.
namespace structhash {

/// Every parameter that has a value.
struct ChosenParams {
  double trade_off = 30.0;
  double ridge = 0.0;
  double penalty = 0.0;
  double width = 0.0;
  double shrinkage = 0.5;
  double dither = 0.0;
  bool operator==(const ChosenParams&) const = default;
};

struct Trial {
  ChosenParams params;
  double score = 0.0;  // mean over the held-out queries
};

struct Selection {
  ChosenParams chosen;
  std::vector<Trial> trials;  // in the order they were made; empty if nothing was open
  Index validation_queries = 0;
};

/// Does every bit see a bootstrap of the lists of its own?  Where not given: kernel bits do, unless
/// held-out queries asked for a larger C than usual.  Lists without noise do, and then the linear
/// programme is not solved early and its bits differ by themselves (docs/adr/0015, 0018).
bool uses_bootstrap(const StructHashParams& params, const ChosenParams& chosen, Index rows);

/// The measure as the lists of a training set see it (ranking/training_loss.hpp).
std::unique_ptr<RankingMeasure> training_measure(const StructHashParams& params,
                                                 const TrainingSet& data, const Shards& shards);

/// The hash family a name stands for, over the rows of x.
std::unique_ptr<HashFamily> make_family(const MatrixView& x, const Shards& shards,
                                        const StructHashParams& params, const ChosenParams& chosen,
                                        Seed seed, Threads threads);

inline std::unique_ptr<HashFamily> make_family(const MatrixView& x, const StructHashParams& params,
                                               const ChosenParams& chosen, Seed seed,
                                               Threads threads) {
  return make_family(x, Shards(x.rows()), params, chosen, seed, threads);
}

/// How functions are dithered (docs/adr/0021): the more bits there are for each class, the less
/// each of them is missed.
Dither model_dither(double size, const TrainingSet& data, const Shards& shards, Seed seed);

/// Bit weights of a model:  w_alpha = (1 - alpha) w + alpha mean(w), over mean(w).  The linear
/// programme's weights overfit (docs/adr/0010); alpha = 1 is plain Hamming distance.
std::vector<float> shrunk_weights(std::span<const double> weights, double shrinkage);

/// The optimum lies beyond a grid whose end wins: the next value in the stride that led from
/// `before` to `now`.  None if nothing was won, or the value would not be above a bound.
std::optional<double> one_stride_on(double before, double now, double above);

/// One parameter after the other, each over a short grid, by slightly shorter codes learned on the
/// rest and asked the held-out queries.  A value replaces the default only if it is better by more
/// than two or three standard errors (docs/adr/0019): without evidence nothing changes.  What was
/// tried before a stop is taken from the checkpoint.
Selection choose_params(const TrainingSet& data, const StructHashParams& params,
                        const FitContext& context, Checkpoint* checkpoint = nullptr);

}  // namespace structhash
