#include "baselines/bres.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "baselines/label_groups.hpp"
#include "core/linalg.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Pairs of points, and their targets: 0 for related labels, 1 for others.
struct Pairs {
  std::vector<std::pair<std::int32_t, std::int32_t>> points;
  std::vector<float> target;
};

Pairs draw_pairs(const LabelGroups& groups, std::span<const Index> rows, Index partners, Rng& rng) {
  Pairs pairs;
  const auto count = std::ssize(rows);
  const auto group = [&](Index point) {
    return groups.group[static_cast<std::size_t>(rows[static_cast<std::size_t>(point)])];
  };
  for (Index point = 0; point < count; ++point) {
    for (const Index other : sample_without_replacement(count, std::min(partners, count), rng)) {
      if (other != point) {
        pairs.points.emplace_back(static_cast<std::int32_t>(point),
                                  static_cast<std::int32_t>(other));
        pairs.target.push_back(groups.related(group(point), group(other)) > 0.0F ? 0.0F : 1.0F);
      }
    }
  }
  return pairs;
}

/// The partners of every point, and what each costs while bits differ: read from front to back.
class PartnerLists {
 public:
  PartnerLists(const Pairs& pairs, std::size_t points) : first_(points + 1, 0) {
    for (const auto& [p, q] : pairs.points) {
      ++first_[static_cast<std::size_t>(p) + 1];
      ++first_[static_cast<std::size_t>(q) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    partner_.resize(first_.back());
    price_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const auto& [p, q] : pairs.points) {
      places_.push_back({next[static_cast<std::size_t>(p)]++, next[static_cast<std::size_t>(q)]++});
      partner_[places_.back()[0]] = q;
      partner_[places_.back()[1]] = p;
    }
  }

  void set_price(std::size_t pair, float price) {
    for (const std::size_t place : places_[pair]) {
      price_[place] = price;
    }
  }

  /// The sum of price times sign over the partners of a point.
  float pull(std::int32_t point, std::span<const float> signs) const {
    float sum = 0.0F;
    const auto p = static_cast<std::size_t>(point);
    for (std::size_t place = first_[p]; place < first_[p + 1]; ++place) {
      sum += price_[place] * signs[static_cast<std::size_t>(partner_[place])];
    }
    return sum;
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> partner_;
  std::vector<float> price_;
  std::vector<std::array<std::size_t, 2>> places_;  // of a pair, seen from either point
};

/// Coordinate descent on  1/2 sum_pairs (target - H / B)^2,  H the Hamming distance.
///
/// While bit b alone changes, with D the distance over the other bits, the objective is
///
///   const + sum_pairs price [h_p != h_q],    price = (2 D + 1) / (2 B^2) - target / B
///
/// and as one weight W of the bit grows, point p flips where W + (rest of its value) / K(p, s) = 0:
/// the flips in order give the exact minimum over W.
class Descent {
 public:
  Descent(Pairs pairs, Index points, Index bits)
      : pairs_(std::move(pairs)),
        partners_(pairs_, static_cast<std::size_t>(points)),
        bits_(bits),
        distance_(pairs_.points.size(), 0),
        signs_(static_cast<std::size_t>(points)) {}

  double objective() const {
    double sum = 0.0;
    for (std::size_t pair = 0; pair < distance_.size(); ++pair) {
      const double error =
          static_cast<double>(pairs_.target[pair]) - distance_[pair] / to_double(bits_);
      sum += 0.5 * error * error;
    }
    return sum;
  }

  void add(const std::vector<std::uint8_t>& h, int sign) {
    for (std::size_t pair = 0; pair < distance_.size(); ++pair) {
      const auto [p, q] = pairs_.points[pair];
      distance_[pair] += sign * (at(h, p) != at(h, q) ? 1 : 0);
    }
  }

  /// The distances must not include the bit itself.
  void set_prices() {
    for (std::size_t pair = 0; pair < distance_.size(); ++pair) {
      partners_.set_price(
          pair, static_cast<float>((2.0 * distance_[pair] + 1.0) /
                                       (2.0 * to_double(bits_) * to_double(bits_)) -
                                   static_cast<double>(pairs_.target[pair]) / to_double(bits_)));
    }
  }

  /// The best weight of one support.  responses: K(p, s); values: sum over all supports; weight:
  /// the present one.
  double best_weight(const Vector<float>& responses, const Vector<float>& values, double weight) {
    const auto count = static_cast<std::size_t>(responses.size());
    flips_.clear();
    for (std::size_t p = 0; p < count; ++p) {  // the bits at weight = minus infinity
      const float k = responses(static_cast<Index>(p));
      const float value = values(static_cast<Index>(p));
      const bool moves = std::abs(k) > kMinResponse;
      signs_[p] = (moves ? k < 0.0F : value > 0.0F) ? 1.0F : -1.0F;
      if (moves) {
        flips_.push_back({weight - static_cast<double>(value) / static_cast<double>(k),
                          static_cast<std::int32_t>(p)});
      }
    }
    std::ranges::sort(flips_, [](const Flip& a, const Flip& b) {
      return a.weight != b.weight ? a.weight < b.weight : a.point < b.point;
    });
    double level = 0.0;  // of the objective, from minus infinity on
    double lowest = std::numeric_limits<double>::infinity();
    double best = weight;
    for (std::size_t i = 0; i < flips_.size(); ++i) {
      level += flip(flips_[i].point);
      const bool last = i + 1 == flips_.size();
      if (level < lowest && (last || flips_[i].weight < flips_[i + 1].weight)) {
        lowest = level;
        best = last ? flips_[i].weight + 1e-3 : 0.5 * (flips_[i].weight + flips_[i + 1].weight);
      }
    }
    return best;
  }

 private:
  struct Flip {
    double weight;
    std::int32_t point;
  };
  static constexpr float kMinResponse = 1e-6F;  // for unit spread; smaller ones change no bit

  static std::uint8_t at(const std::vector<std::uint8_t>& h, std::int32_t point) {
    return h[static_cast<std::size_t>(point)];
  }

  /// Flips the bit of a point; returns the change of the objective.
  double flip(std::int32_t point) {
    float& own = signs_[static_cast<std::size_t>(point)];
    const float change = own * partners_.pull(point, signs_);
    own = -own;
    return static_cast<double>(change);
  }

  Pairs pairs_;
  PartnerLists partners_;
  Index bits_;
  std::vector<std::int32_t> distance_;
  std::vector<Flip> flips_;
  std::vector<float> signs_;  // of the bit that is being changed: 1 or -1
};

std::vector<std::uint8_t> bits_of(const Vector<float>& values) {
  std::vector<std::uint8_t> bits;
  for (const float value : values) {
    bits.push_back(value > 0.0F ? 1 : 0);
  }
  return bits;
}

/// One bit: its supports among the points, their weights, and its value at every point.
struct Embedding {
  std::vector<Index> supports;
  Vector<double> weights;
  Vector<float> values;
};

/// Coordinate descent over the supports of one bit.
void improve(Embedding& bit, const Matrix<float>& z, Descent& descent, Threads threads) {
  descent.add(bits_of(bit.values), -1);
  descent.set_prices();
  Vector<float> responses;
  for (std::size_t s = 0; s < bit.supports.size(); ++s) {
    matrix_vector(z, z.row(bit.supports[s]).transpose(), responses, threads);
    double& weight = bit.weights(static_cast<Index>(s));
    const double best = descent.best_weight(responses, bit.values, weight);
    bit.values += static_cast<float>(best - weight) * responses;
    weight = best;
  }
  descent.add(bits_of(bit.values), +1);
}

std::vector<Embedding> first_bits(const Matrix<float>& z, const BresParams& params, Rng& rng) {
  std::vector<Embedding> bits(static_cast<std::size_t>(params.bits));
  for (Embedding& bit : bits) {
    bit.supports = sample_without_replacement(z.rows(), std::min(params.supports, z.rows()), rng);
    bit.weights.resize(std::ssize(bit.supports));
    for (double& weight : bit.weights) {
      weight = 0.001 * rng.normal();
    }
    const Matrix<float> supports = z(bit.supports, Eigen::all);
    bit.values = z * (supports.transpose() * bit.weights.cast<float>());
  }
  return bits;
}

LinearFunctions learn(const Matrix<float>& all, const LabelGroups& groups, const BresParams& params,
                      const FitContext& context) {
  Rng rng(context.seed.fork("bres"));
  std::vector<Index> rows =
      sample_without_replacement(all.rows(), std::min(params.points, all.rows()), rng);
  const Matrix<float> z = all(rows, Eigen::all);
  const auto partners = std::max<Index>(1, std::llround(params.partners * to_double(z.rows())));
  Descent descent(draw_pairs(groups, rows, partners, rng), z.rows(), params.bits);
  std::vector<Embedding> bits = first_bits(z, params, rng);
  for (const Embedding& bit : bits) {
    descent.add(bits_of(bit.values), +1);
  }
  double before = descent.objective();
  for (Index sweep = 0; sweep < params.sweeps; ++sweep) {
    for (std::size_t b = 0; b < bits.size(); ++b) {
      improve(bits[b], z, descent, context.threads);
      report(context.on_progress, {"training",
                                   to_double(sweep * params.bits) + static_cast<double>(b + 1),
                                   to_double(params.sweeps * params.bits),
                                   {}});
    }
    const double after = descent.objective();
    if (before - after < params.tolerance * before) {
      break;
    }
    before = after;
  }
  LinearFunctions functions{Matrix<double>(params.bits, z.cols()),
                            Vector<double>::Zero(params.bits)};
  for (std::size_t b = 0; b < bits.size(); ++b) {
    const Matrix<double> supports = z(bits[b].supports, Eigen::all).cast<double>();
    functions.directions.row(static_cast<Index>(b)) = bits[b].weights.transpose() * supports;
  }
  return functions;
}

}  // namespace

HashModel fit_bres(const TrainingSet& data, const BresParams& params, const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  const LabelGroups groups = group_labels(data.labels);
  Fitted fitted =
      fit_on_features(data.x, data.labels, params.features, context,
                      [&](const Matrix<float>& z) { return learn(z, groups, params, context); });
  return make_model("bres", kBresOptions, params, context.seed, std::move(fitted));
}

}  // namespace structhash
