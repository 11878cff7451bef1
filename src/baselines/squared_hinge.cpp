#include "baselines/squared_hinge.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "hashing/lbfgs.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr int kMaxIterations = 12;  // of L-BFGS per bit: it starts from the last weights

/// The places of values, none negative, in ascending order, ties by place: the bits of such floats
/// ascend as they do.
std::vector<std::uint32_t> sorted_by(std::span<const float> values) {
  std::vector<std::uint64_t> keys(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    keys[i] = std::uint64_t{std::bit_cast<std::uint32_t>(values[i])} << 32U | i;
  }
  std::ranges::sort(keys);
  std::vector<std::uint32_t> order(values.size());
  std::ranges::transform(keys, order.begin(),
                         [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
  return order;
}

/// A code of differences byte by byte: a weighted distance is one look-up per byte, and a sum over
/// the items with a certain bit is collected byte value by byte value.
constexpr std::size_t kBytes = 8;
constexpr std::size_t kValues = 256;

std::vector<float> byte_tables(std::span<const double> weights) {
  std::vector<float> tables((weights.size() + 7) / 8 * kValues, 0.0F);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    double sum = 0.0;
    for (std::size_t bit = 0; bit < 8; ++bit) {
      const std::size_t number = i / kValues * 8 + bit;
      sum += number < weights.size() && ((i >> bit) & 1U) != 0 ? weights[number] : 0.0;
    }
    tables[i] = static_cast<float>(sum);
  }
  return tables;
}

class SquaredHingeLearner final : public WeightLearner {
 public:
  SquaredHingeLearner(const ListTable& lists, double trade_off, Threads threads)
      : lists_(lists),
        trade_off_(trade_off),
        threads_(threads),
        slopes_(static_cast<std::size_t>(lists.pairs())) {}

  /// C d(loss)/d(distance) of every pair: the gain of a bit that brings it down.
  std::vector<float> pair_weights() const override {
    std::vector<float> weights = slopes_;
    for (float& weight : weights) {
      weight *= static_cast<float>(trade_off_);
    }
    return weights;
  }

  const std::vector<double>& weights() const override { return weights_; }

  void add_bit(const CodeMatrix& codes, std::span<const std::int8_t> /*signs*/,
               BitLog& log) override {
    words_ = weights_.size() / 64 + 1;
    differ(codes);
    const auto bits = static_cast<Index>(weights_.size()) + 1;
    Eigen::VectorXd point(bits);
    point.head(bits - 1) = Eigen::Map<const Eigen::VectorXd>(weights_.data(), bits - 1);
    point(bits - 1) = 0.0;
    const auto evaluate = [&](const Eigen::VectorXd& w, Eigen::VectorXd& gradient) {
      ++log.passes;
      return objective(w, gradient);
    };
    point = minimise_nonnegative(evaluate, std::move(point),
                                 {.max_iterations = kMaxIterations,
                                  .relative_gradient = 1e-3,
                                  .past = 1,
                                  .improvement = 1e-4});
    weights_.assign(point.begin(), point.end());
    Eigen::VectorXd gradient(bits);
    log.objective = objective(point, gradient);  // leaves the slopes of these weights
    log.bound = log.objective;
    log.slack = (log.objective - point.sum()) / trade_off_;
  }

 private:
  void differ(const CodeMatrix& codes) {
    differences_.resize(static_cast<std::size_t>(lists_.pairs()) * words_);
    for (const ListChunk& chunk : lists_.chunks()) {
      for (Index list = 0; list < chunk.lists; ++list) {
        const auto query =
            codes.row(lists_.queries()[static_cast<std::size_t>(chunk.first_list + list)]);
        const Index first = chunk.first_pair + list * chunk.items();
        for (Index pair = first; pair < first + chunk.items(); ++pair) {
          const auto item = codes.row(lists_.items()[static_cast<std::size_t>(pair)]);
          for (std::size_t word = 0; word < words_; ++word) {
            differences_[static_cast<std::size_t>(pair) * words_ + word] = query[word] ^ item[word];
          }
        }
      }
    }
  }

  struct Sums {
    double loss = 0.0;
    std::vector<double> by_byte;  // sums of slopes over the items with a byte of a certain value
  };

  void pass(const ListChunk& chunk, std::span<const float> tables, Sums& sums) {
    const auto items = static_cast<std::size_t>(chunk.items());
    const std::size_t places = tables.size() / kValues;
    std::vector<float> distances(items);
    sums.by_byte.assign(tables.size(), 0.0);
    const auto byte = [&](std::size_t pair, std::size_t place) {
      const std::uint64_t word = differences_[pair * words_ + place / kBytes];
      return place * kValues + ((word >> (place % kBytes * 8)) & 255U);
    };
    for (Index list = 0; list < chunk.lists; ++list) {
      const auto first = static_cast<std::size_t>(chunk.first_pair + list * chunk.items());
      const std::span slopes(slopes_.data() + first, items);
      for (std::size_t l = 0; l < items; ++l) {
        float distance = 0.0F;
        for (std::size_t place = 0; place < places; ++place) {
          distance += tables[byte(first + l, place)];
        }
        distances[l] = distance;
      }
      const double weight = lists_.weights()[static_cast<std::size_t>(chunk.first_list + list)];
      sums.loss +=
          weight * squared_hinge(distances, static_cast<std::size_t>(chunk.relevant), slopes);
      for (std::size_t l = 0; l < items; ++l) {
        slopes[l] *= static_cast<float>(weight);
        for (std::size_t place = 0; place < places; ++place) {
          sums.by_byte[byte(first + l, place)] += static_cast<double>(slopes[l]);
        }
      }
    }
  }

  double objective(const Eigen::VectorXd& w, Eigen::VectorXd& gradient) {
    const auto bits = static_cast<std::size_t>(w.size());
    const std::vector<float> tables = byte_tables({w.data(), bits});
    const auto chunks = lists_.chunks();
    std::vector<Sums> partial(chunks.size());
    parallel_for(std::ssize(chunks), threads_, 1, [&](Index at, Index) {
      const auto number = static_cast<std::size_t>(at);
      pass(chunks[number], tables, partial[number]);
    });
    Sums total{.loss = 0.0, .by_byte = std::vector<double>(tables.size(), 0.0)};
    for (const Sums& sums : partial) {
      total.loss += sums.loss;
      for (std::size_t i = 0; i < tables.size(); ++i) {
        total.by_byte[i] += sums.by_byte[i];
      }
    }
    gradient.setOnes(w.size());
    for (std::size_t i = 0; i < tables.size(); ++i) {
      for (std::size_t bit = 0; bit < 8; ++bit) {
        const std::size_t number = i / kValues * 8 + bit;
        if (number < bits && ((i >> bit) & 1U) != 0) {
          gradient(static_cast<Index>(number)) += trade_off_ * total.by_byte[i];
        }
      }
    }
    return w.sum() + trade_off_ * total.loss;
  }

  const ListTable& lists_;
  double trade_off_;
  Threads threads_;
  std::size_t words_ = 1;
  std::vector<std::uint64_t> differences_;  // pairs x words
  std::vector<float> slopes_;               // one per pair, times the weight of its list
  std::vector<double> weights_;
};

}  // namespace

/// With the items sorted, the k that violate the margin of one j are a prefix, and the j that one
/// k violates are a suffix: sums of 1, e, e^2 and of 1, d over them give everything.
double squared_hinge(std::span<const float> distances, std::size_t relevant,
                     std::span<float> slopes) {
  const auto d = distances.first(relevant);
  const auto e = distances.subspan(relevant);
  const std::vector<std::uint32_t> d_order = sorted_by(d);
  const std::vector<std::uint32_t> e_order = sorted_by(e);
  const double scale = 1.0 / static_cast<double>(d.size() * e.size());
  double loss = 0.0;
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  std::size_t next = 0;
  for (const std::size_t j : d_order) {
    const double reach = 1.0 + 2.0 * static_cast<double>(d[j]);  // violated by 2 e_k < reach
    while (next < e.size() && 2.0 * static_cast<double>(e[e_order[next]]) < reach) {
      const double value = 2.0 * static_cast<double>(e[e_order[next++]]);
      count += 1.0;
      sum += value;
      squares += value * value;
    }
    loss += 0.5 * scale * (count * reach * reach - 2.0 * reach * sum + squares);
    slopes[j] = static_cast<float>(2.0 * scale * (count * reach - sum));
  }
  count = 0.0;
  sum = 0.0;
  std::size_t left = d.size();
  for (std::size_t i = e.size(); i-- > 0;) {
    const std::size_t k = e_order[i];
    const double reach = 2.0 * static_cast<double>(e[k]) - 1.0;  // violated by 2 d_j > reach
    while (left > 0 && 2.0 * static_cast<double>(d[d_order[left - 1]]) > reach) {
      count += 1.0;
      sum += 2.0 * static_cast<double>(d[d_order[--left]]);
    }
    slopes[relevant + k] = static_cast<float>(-2.0 * scale * (sum - count * reach));
  }
  return loss;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): the signature of all learners of weights
std::unique_ptr<WeightLearner> make_squared_hinge(const ListTable& lists, CuttingPlane /*first*/,
                                                  double trade_off, const WeightParams& /*params*/,
                                                  Threads threads) {
  return std::make_unique<SquaredHingeLearner>(lists, trade_off, threads);
}

}  // namespace structhash
