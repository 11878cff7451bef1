#include "baselines/fasthash.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "baselines/label_groups.hpp"
#include "baselines/min_cut.hpp"
#include "hashing/families/boost_step.hpp"
#include "structhash/core/error.hpp"
#include "structhash/relevance/builders.hpp"

namespace structhash {
namespace {

constexpr double kWholeNumbers = 1e6;  // of the largest pair weight, in the cuts

/// Loss of a pair whose codes of `bits` bits differ in `distance` of them.
double pair_loss(PairLoss loss, bool similar, double distance, double bits) {
  const double share = distance / bits;
  double error = 0.0;
  switch (loss) {
    case PairLoss::hinge:
      error = similar ? share : std::max(0.0, 0.5 - share);
      break;
    case PairLoss::ksh:
      error = (similar ? 1.0 : -1.0) - (1.0 - 2.0 * share);
      break;
    case PairLoss::bre:
      error = (similar ? 0.0 : 1.0) - share;
      break;
  }
  return error * error;
}

/// The labelled pairs and the Hamming distances of the codes so far.
class PairTable {
 public:
  PairTable(const Labels& labels, Index partners, Seed seed, Threads threads) {
    const ListOptions options{
        .relevant = partners, .irrelevant = partners, .grades = LabelGrades::any};
    for (const RelevanceList& list : lists_from_labels(labels, options, seed, threads).lists) {
      add(list.query, list.relevant, true);
      add(list.query, list.irrelevant, false);
    }
    distance_.assign(left_.size(), 0);
  }

  PairForm form(Index rows) const { return {rows, left_, right_}; }

  /// Gain of a pair that agrees in the next bit: loss(D + 1) - loss(D).
  std::vector<float> weights(PairLoss loss, Index bit) const {
    std::vector<float> weights(left_.size());
    const double bits = to_double(bit + 1);
    for (std::size_t pair = 0; pair < weights.size(); ++pair) {
      const double before = pair_loss(loss, similar_[pair], distance_[pair], bits);
      const double after = pair_loss(loss, similar_[pair], distance_[pair] + 1.0, bits);
      weights[pair] = static_cast<float>(after - before);
    }
    return weights;
  }

  void add_bit(std::span<const std::int8_t> signs) {
    for (std::size_t pair = 0; pair < distance_.size(); ++pair) {
      distance_[pair] += signs[static_cast<std::size_t>(left_[pair])] !=
                                 signs[static_cast<std::size_t>(right_[pair])]
                             ? 1
                             : 0;
    }
  }

 private:
  void add(Index query, const std::vector<Index>& items, bool similar) {
    for (const Index item : items) {
      left_.push_back(static_cast<std::int32_t>(query));
      right_.push_back(static_cast<std::int32_t>(item));
      similar_.push_back(similar);
    }
  }

  std::vector<std::int32_t> left_;
  std::vector<std::int32_t> right_;
  std::vector<bool> similar_;
  std::vector<int> distance_;
};

/// Maximises F over the signs of one block, all others fixed: exact, because agreement of pairs
/// within a block raises F (pairs for which it does not, if any, are left out).
void cut_block(const PairForm& form, std::span<const Index> block, double scale,
               std::vector<float>& s, std::vector<Index>& place) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    place[static_cast<std::size_t>(block[i])] = static_cast<Index>(i);
  }
  AgreementProblem problem(std::ssize(block));
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto columns = form.columns(block[i]);
    const auto entries = form.entries(block[i]);
    double bias = 0.0;
    for (std::size_t e = 0; e < columns.size(); ++e) {
      const auto other = static_cast<std::size_t>(columns[e]);
      if (place[other] < 0) {
        bias += static_cast<double>(entries[e] * s[other]);
      } else if (place[other] > static_cast<Index>(i)) {
        problem.add_edge(static_cast<Index>(i), place[other],
                         std::llround(scale * static_cast<double>(entries[e])));
      }
    }
    problem.add_bias(static_cast<Index>(i), std::llround(scale * bias));
  }
  const std::vector<std::int8_t> signs = problem.solve();
  for (std::size_t i = 0; i < block.size(); ++i) {
    s[static_cast<std::size_t>(block[i])] = static_cast<float>(signs[i]);
    place[static_cast<std::size_t>(block[i])] = -1;
  }
}

/// A random sign for every block, not the same for all.  Used where the cuts give a constant bit:
/// every pair is satisfied then, and a bit that is constant on each block changes no pair of it.
void split_blocks(const LabelGroups& groups, std::vector<float>& s, Rng& rng) {
  const Index negative = rng.below(groups.count());
  const Index positive = (negative + 1) % groups.count();
  for (Index group = 0; group < groups.count(); ++group) {
    const bool below = rng.uniform() < 0.5;
    const float sign = group == negative || (group != positive && below) ? -1.0F : 1.0F;
    for (const Index row : groups.rows[static_cast<std::size_t>(group)]) {
      s[static_cast<std::size_t>(row)] = sign;
    }
  }
}

/// The ideal bit of the training rows: block after block in random order, from all +1.
std::vector<float> infer_bit(const PairForm& form, const LabelGroups& groups, Index sweeps,
                             float largest_weight, Rng& rng, Threads threads) {
  std::vector<float> s(static_cast<std::size_t>(form.rows()), 1.0F);
  std::vector<Index> place(s.size(), -1);
  std::vector<Index> order(static_cast<std::size_t>(groups.count()));
  std::iota(order.begin(), order.end(), Index{0});
  const double scale = kWholeNumbers / static_cast<double>(std::max(largest_weight, 1e-30F));
  for (Index sweep = 0; sweep < sweeps; ++sweep) {
    rng.shuffle(order);
    for (const Index group : order) {
      threads.stop_if_asked();
      cut_block(form, groups.rows[static_cast<std::size_t>(group)], scale, s, place);
    }
  }
  if (std::ranges::adjacent_find(s, std::ranges::not_equal_to{}) == s.end()) {
    split_blocks(groups, s, rng);
  }
  return s;
}

/// Sign of every row times the total |weight| of its pairs, scaled to mean 1.
std::vector<float> weighted_labels(const PairForm& form, std::span<const float> s) {
  std::vector<float> field(s.size());
  double total = 0.0;
  for (std::size_t row = 0; row < s.size(); ++row) {
    float size = 0.0F;
    for (const float entry : form.entries(static_cast<Index>(row))) {
      size += std::abs(entry);
    }
    field[row] = size * s[row];
    total += static_cast<double>(size);
  }
  const auto mean = static_cast<float>(total / static_cast<double>(s.size()));
  for (std::size_t row = 0; row < s.size(); ++row) {
    field[row] = mean > 0.0F ? field[row] / mean : s[row];
  }
  return field;
}

LearnedBit boost_bit(const BinnedFeatures& data, std::span<const float> field,
                     const TreeFamilyParams& params, Seed seed, Threads threads) {
  Rng rng(seed);
  const std::vector<Index> bag = sorted_sample(data.rows(), params.bag, 1, rng);
  BoostedTrees boosted(params.depth, data.rows());
  for (Index tree = 0; tree < params.trees; ++tree) {
    boost_step(data, params, {field, bag}, rng, threads, boosted);
  }
  return bit_of(std::move(boosted));
}

}  // namespace

/// Bit by bit: weights of pairs from the codes so far, ideal bits by block graph cuts, boosted
/// trees that predict them; the next bit starts from the trees' codes (docs/methods.md C.14).
HashModel fit_fasthash(const TrainingSet& data, const FastHashParams& params,
                       const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  const BinnedFeatures features(data.x, params.trees.bins, context.threads);
  require(features.features() > 0, "all training features are constant: there is nothing to learn");
  const LabelGroups groups = group_labels(data.labels);
  const Seed seed = context.seed.fork("fasthash");
  PairTable pairs(data.labels, params.partners, seed.fork("pairs"), context.threads);
  PairForm form = pairs.form(data.x.rows());
  std::vector<LearnedBit> bits;
  for (Index b = 0; b < params.bits; ++b) {
    const std::vector<float> weights = pairs.weights(params.loss, b);
    form.set_weights(weights, context.threads);
    const Seed stream = seed.fork(static_cast<std::uint64_t>(b));
    Rng rng(stream.fork("blocks"));
    const std::vector<float> ideal = infer_bit(
        form, groups, params.sweeps, *std::ranges::max_element(weights), rng, context.threads);
    bits.push_back(boost_bit(features, weighted_labels(form, ideal), params.trees,
                             stream.fork("trees"), context.threads));
    pairs.add_bit(bits.back().signs);
    report(context.on_progress, {"training", to_double(b + 1), to_double(params.bits), {}});
  }
  return make_model("fasthash", kFastHashOptions, params, context.seed,
                    assemble_trees(data.x.cols(), params.trees.depth, bits));
}

}  // namespace structhash
