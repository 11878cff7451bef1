#include "learner/column_generation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/thread_team.hpp"
#include "hashing/families/whitened.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// 1 if two bits are equal for all training rows, -1 if they are opposite for all: the same split
/// either way; 0 otherwise.
double same_split(std::span<const std::int8_t> a, std::span<const std::int8_t> b) {
  const bool flipped = a[0] != b[0];
  const bool same =
      std::ranges::equal(a, b, [&](std::int8_t x, std::int8_t y) { return (x != y) == flipped; });
  return same ? (flipped ? -1.0 : 1.0) : 0.0;
}

/// Does the bit make a split that is there already?  All shards must say so, and in the same way.
bool repeats(const LearnedBit& bit, std::span<const LearnedBit> bits, const Shards& shards) {
  const auto compare = [&](Index shard, std::span<double> part) {
    const RowRange rows = shards.rows(shard);
    const auto of_shard = [&](const LearnedBit& any) {
      return std::span(any.signs).subspan(static_cast<std::size_t>(rows.begin),
                                          static_cast<std::size_t>(rows.size()));
    };
    for (std::size_t i = 0; i < bits.size(); ++i) {
      part[i] = same_split(of_shard(bit), of_shard(bits[i]));
    }
  };
  return std::ranges::any_of(shards.sum(std::ssize(bits), compare), [&](double agreed) {
    return std::abs(agreed) == to_double(shards.total());
  });
}

/// Calls visit(rng, chunk, list) for every list of every chunk; each shard has its own stream.
template <typename Visit>
void visit_lists(const ListTable& lists, Seed seed, const Visit& visit) {
  const Shards& shards = lists.shards();
  for (Index shard = 0; shard < shards.count(); ++shard) {
    Rng rng(shards.cut() ? seed.fork(static_cast<std::uint64_t>(shards.number(shard))) : seed);
    const RowRange range = lists.chunks_of(shard);
    for (Index at = range.begin; at < range.end; ++at) {
      const ListChunk& chunk = lists.chunks()[static_cast<std::size_t>(at)];
      for (Index list = 0; list < chunk.lists; ++list) {
        visit(rng, chunk, list);
      }
    }
  }
}

/// Every list's pair weights times a draw from the exponential distribution (the Bayesian
/// bootstrap, Rubin 1981): another view of the same data.
std::vector<float> bootstrapped(std::vector<float> pair_weights, const ListTable& lists,
                                Seed seed) {
  visit_lists(lists, seed, [&](Rng& rng, const ListChunk& chunk, Index list) {
    const auto factor = static_cast<float>(-std::log(1.0 - rng.uniform()));
    float* weight = pair_weights.data() + chunk.first_pair + list * chunk.items();
    for (Index item = 0; item < chunk.items(); ++item) {
      weight[item] *= factor;
    }
  });
  return pair_weights;
}

/// Pair weights, Eq. (16), of the random duals that Algorithm 1 starts from: one random ranking of
/// every list, all with the same dual.
std::vector<float> random_weights(const ListTable& lists, Seed seed) {
  std::vector<float> weights(static_cast<std::size_t>(lists.pairs()));
  std::vector<Index> ranking;
  visit_lists(lists, seed, [&](Rng& rng, const ListChunk& chunk, Index list) {
    ranking.resize(static_cast<std::size_t>(chunk.items()));
    std::iota(ranking.begin(), ranking.end(), Index{0});
    rng.shuffle(ranking);
    const double scale =
        lists.inversion_scales()[static_cast<std::size_t>(chunk.first_list + list)];
    float* weight = weights.data() + chunk.first_pair + list * chunk.items();
    Index irrelevant_before = 0;
    Index relevant_behind = chunk.relevant;
    for (const Index item : ranking) {
      if (item < chunk.relevant) {
        weight[item] = static_cast<float>(scale * to_double(irrelevant_before));
        --relevant_behind;
      } else {
        weight[item] = static_cast<float>(-scale * to_double(relevant_behind));
        ++irrelevant_before;
      }
    }
  });
  return weights;
}

LearnedBit best_bit(PairForm& form, const std::vector<float>& targets, const HashFamily& family,
                    Seed stream, Threads threads) {
  form.set_weights(targets, threads);
  return family.best(form, stream, threads);
}

/// The bit found on other pair weights, with its edge on the targets themselves.
LearnedBit best_on_view(PairForm& form, const std::vector<float>& view,
                        const std::vector<float>& targets, const ListTable& lists,
                        const HashFamily& family, Seed stream, Threads threads) {
  LearnedBit bit = best_bit(form, view, family, stream, threads);
  bit.edge = pair_objective(lists, targets, bit.signs, threads);
  return bit;
}

/// A checkpoint of rows cut into shards holds bit functions alone: every process computes the bits
/// of its own rows.
void find_signs(std::span<LearnedBit> bits, const HashFamily& family, const PairForm& form,
                Threads threads) {
  for (LearnedBit& bit : bits) {
    if (bit.signs.empty()) {
      const WhitenedFamily* whitened = as_whitened(family);
      require(whitened != nullptr,
              "only linear and kernel functions can be trained on rows cut into shards");
      bit.signs = whitened->signs(bit.function, form, threads);
    }
  }
}

}  // namespace

PairForm pair_form(const ListTable& lists) {
  std::vector<std::int32_t> left;
  left.reserve(static_cast<std::size_t>(lists.pairs()));
  for (const ListChunk& chunk : lists.chunks()) {
    for (Index list = 0; list < chunk.lists; ++list) {
      left.insert(left.end(), static_cast<std::size_t>(chunk.items()),
                  lists.queries()[static_cast<std::size_t>(chunk.first_list + list)]);
    }
  }
  return {lists.shards(), left, lists.items()};
}

void set_column(CodeMatrix& codes, Index bit, std::span<const std::int8_t> signs) {
  for (Index row = 0; row < codes.rows(); ++row) {
    codes.set(row, bit, signs[static_cast<std::size_t>(row)] > 0);
  }
}

void check(const LearnerParams& params) {
  require(params.bits >= 1, "bits must be at least 1");
  require(params.trade_off > 1.0 && std::isfinite(params.trade_off),
          "trade-off must be greater than 1: it is C over the smallest C that learns anything");
  check(params.weights);
}

/// Differs from [Lin14] unless random_duals: Algorithm 1 starts from random duals; at w = 0 the
/// most violated ranking is known (all irrelevant items first) and makes the start deterministic.
LearnedCode learn_with(const MakeWeightLearner& make, const ListTable& lists,
                       const HashFamily& family, const LearnerParams& params,
                       const LearnContext& context) {
  check(params);
  ThreadTeam team(context.threads.count());  // loops are too short to start threads for each
  const Threads threads = context.threads.on(team);
  LearnedCode code;
  CodeMatrix codes(lists.rows(), params.bits);
  PairForm form = pair_form(lists);
  std::unique_ptr<WeightLearner> learner;
  std::vector<CuttingPlane> first{most_violated_plane(lists, codes, {}, threads).plane};
  std::vector<float> targets = pair_weights(lists, first, std::vector{1.0}, threads);
  const auto make_learner = [&] {
    return make(lists, std::move(first[0]), code.trade_off, params.weights, threads);
  };
  if (context.resume != nullptr) {
    code = context.resume->code;
    find_signs(code.bits, family, form, threads);
    for (std::size_t bit = 0; bit < code.bits.size(); ++bit) {
      set_column(codes, static_cast<Index>(bit), code.bits[bit].signs);
    }
    learner = make_learner();
    learner->restore(context.resume->weights, codes);
    targets = learner->pair_weights();
  }

  for (Index b = std::ssize(code.bits); b < params.bits; ++b) {
    // Column generation, Eq. (14): the bit whose dual constraint (12b) is violated most.
    const Seed stream = context.seed.fork(static_cast<std::uint64_t>(b));
    const auto best_on = [&](const std::vector<float>& view, Seed seed) {
      return best_on_view(form, view, targets, lists, family, seed, threads);
    };
    LearnedBit bit = learner && params.bootstrap
                         ? best_on(bootstrapped(targets, lists, stream.fork("perturb")), stream)
                     : !learner && params.random_duals
                         ? best_on(random_weights(lists, stream.fork("duals")), stream)
                         : best_bit(form, targets, family, stream, threads);
    if (!learner) {  // C_min = 1 / edge: up to it all weights stay zero
      require(bit.edge > 0.0, "no hash function separates relevant from irrelevant items");
      code.trade_off = params.trade_off / bit.edge;
      learner = make_learner();
    } else if (repeats(bit, code.bits, lists.shards())) {  // the duals have hardly changed
      const Seed again = stream.fork("again");
      bit = best_on(bootstrapped(targets, lists, again.fork("perturb")), again);
      ++code.restarts;
    }
    set_column(codes, b, bit.signs);
    // Cutting planes, Eq. (10): the weights of all bits, or of this one.
    BitLog& log = code.log.emplace_back(BitLog{.edge = bit.edge});
    learner->add_bit(codes, bit.signs, log);
    code.bits.push_back(std::move(bit));
    targets = learner->pair_weights();
    if (context.on_bit) {
      context.on_bit({code, learner->state()});
    }
    report(context.on_progress, {"training", to_double(b + 1), to_double(params.bits),
                                 fmt::format("objective {:.4f}, slack {:.4f}, planes {}",
                                             log.objective, log.slack, log.planes)});
  }
  // cppcheck-suppress nullPointer ; there is at least one bit, and the first makes the learner
  code.weights = learner->weights();
  return code;
}

LearnedCode learn(const ListTable& lists, const HashFamily& family, const LearnerParams& params,
                  const LearnContext& context) {
  const auto make =
      params.mode == TrainingMode::stage_wise ? make_stage_wise : make_totally_corrective;
  return learn_with(make, lists, family, params, context);
}

}  // namespace structhash
