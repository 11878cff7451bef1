#include "learner/cutting_plane.hpp"

#include <algorithm>

#include "learner/simd/list_kernels.hpp"
#include "ranking/row_oracle.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

/// Partial sums of the weights, sixteen per nibble of a code: a distance, Eq. (6), is one look-up
/// per nibble.
std::vector<float> nibble_tables(std::span<const double> weights, Index words) {
  std::vector<float> tables(static_cast<std::size_t>(words) * 16 * 16, 0.0F);
  for (std::size_t nibble = 0; nibble < tables.size() / 16; ++nibble) {
    for (std::size_t value = 0; value < 16; ++value) {
      double sum = 0.0;
      for (std::size_t bit = 0; bit < 4 && nibble * 4 + bit < weights.size(); ++bit) {
        sum += ((value >> bit) & 1U) != 0 ? weights[nibble * 4 + bit] : 0.0;
      }
      tables[nibble * 16 + value] = static_cast<float>(sum);
    }
  }
  return tables;
}

void add(std::span<const double> terms, std::span<double> total) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    total[i] += terms[i];
  }
}

/// A pass over one chunk of lists: differences of codes, distances, rankings, sums.
class ChunkPass {
 public:
  ChunkPass(const ListTable& lists, const CodeMatrix& codes, const ListChunk& chunk, Index words)
      : lists_(lists),
        codes_(codes),
        chunk_(chunk),
        words_(static_cast<std::size_t>(words)),
        items_(static_cast<std::size_t>(chunk.items())),
        differences_(static_cast<std::size_t>(chunk.lists) * words_ * items_),
        distances_(static_cast<std::size_t>(chunk.lists) * items_, 0.0F),
        inversions_(distances_.size()),
        losses_(static_cast<std::size_t>(chunk.lists)) {}

  void rank(std::span<const float> tables) {
    for (std::size_t list = 0; list < losses_.size(); ++list) {
      differ(list);
      for (std::size_t word = 0; word < words_; ++word) {
        simd::add_nibble_sums(differences(list, word), items_, tables.data() + 256 * word,
                              distances_.data() + list * items_);
      }
    }
    most_violated_batch(*chunk_.gains, distances_, inversions_, losses_);
  }

  /// Weighted losses and delta psi, Eq. (13) collapsed (docs/methods.md A.7), of the chunk's lists.
  void sum(double& loss, std::vector<double>& coefficients) const {
    std::vector<std::int32_t> counts(64 * words_);
    std::vector<std::int32_t> signed_counts(items_);
    for (std::size_t list = 0; list < losses_.size(); ++list) {
      const auto number = static_cast<std::size_t>(chunk_.first_list) + list;
      loss += lists_.weights()[number] * losses_[list];
      const std::uint16_t* inversions = inversions_.data() + list * items_;
      for (std::size_t l = 0; l < items_; ++l) {
        const bool relevant = static_cast<Index>(l) < chunk_.relevant;
        signed_counts[l] = relevant ? -std::int32_t{inversions[l]} : std::int32_t{inversions[l]};
      }
      std::ranges::fill(counts, 0);
      for (std::size_t word = 0; word < words_; ++word) {
        simd::add_bit_counts(differences(list, word), signed_counts.data(), items_,
                             counts.data() + 64 * word);
      }
      for (std::size_t bit = 0; bit < coefficients.size(); ++bit) {
        coefficients[bit] += lists_.inversion_scales()[number] * counts[bit];
      }
    }
  }

  void store(CuttingPlane& plane) const {
    const auto first = static_cast<std::size_t>(chunk_.first_pair);
    for (std::size_t i = 0; i < inversions_.size(); ++i) {
      plane.low[first + i] = static_cast<std::uint8_t>(inversions_[i] & 255U);
    }
    for (std::size_t i = 0; i < inversions_.size() && !plane.high.empty(); ++i) {
      plane.high[first + i] = static_cast<std::uint8_t>(inversions_[i] >> 8U);
    }
  }

 private:
  std::uint64_t* differences(std::size_t list, std::size_t word) {
    return differences_.data() + (list * words_ + word) * items_;
  }
  const std::uint64_t* differences(std::size_t list, std::size_t word) const {
    return differences_.data() + (list * words_ + word) * items_;
  }

  /// Query XOR item for every item of a list, word by word.
  void differ(std::size_t list) {
    const auto number = static_cast<std::size_t>(chunk_.first_list) + list;
    const CodeView query = codes_.row(lists_.queries()[number]);
    const std::int32_t* items =
        lists_.items().data() + chunk_.first_pair + static_cast<Index>(list) * chunk_.items();
    for (std::size_t word = 0; word < words_; ++word) {
      std::uint64_t* out = differences(list, word);
      for (std::size_t l = 0; l < items_; ++l) {
        out[l] = query[word] ^ codes_.row(items[l])[word];
      }
    }
  }

  const ListTable& lists_;
  const CodeMatrix& codes_;
  const ListChunk& chunk_;
  std::size_t words_;  // that hold bits so far
  std::size_t items_;
  std::vector<std::uint64_t> differences_;  // lists x words x items
  std::vector<float> distances_;
  std::vector<std::uint16_t> inversions_;
  std::vector<double> losses_;
};

}  // namespace

ViolatedPlane most_violated_plane(const ListTable& lists, const CodeMatrix& codes,
                                  std::span<const double> weights, Threads threads) {
  struct Sums {
    double loss = 0.0;
    std::vector<double> coefficients;
  };
  const auto chunks = lists.chunks();
  ViolatedPlane result;
  result.plane.point.assign(weights.begin(), weights.end());
  result.plane.low.resize(static_cast<std::size_t>(lists.pairs()));
  if (lists.largest_inversion() > 255) {
    result.plane.high.resize(result.plane.low.size());
  }
  const Index words = (std::ssize(weights) + 63) / 64;
  const std::vector<float> tables = nibble_tables(weights, words);
  std::vector<Sums> partial(chunks.size());
  parallel_for(std::ssize(chunks), threads, 1, [&](Index at, Index) {
    Sums& sums = partial[static_cast<std::size_t>(at)];
    sums.coefficients.assign(weights.size(), 0.0);
    ChunkPass pass(lists, codes, chunks[static_cast<std::size_t>(at)], words);
    pass.rank(tables);
    pass.sum(sums.loss, sums.coefficients);
    pass.store(result.plane);
  });
  // In chunk and shard order: the same bytes for any number of threads and processes.
  const Shards& shards = lists.shards();
  std::vector<double> total =
      shards.sum(std::ssize(weights) + 1, [&](Index shard, std::span<double> part) {
        const RowRange range = lists.chunks_of(shard);
        for (Index at = range.begin; at < range.end; ++at) {
          const Sums& sums = partial[static_cast<std::size_t>(at)];
          add(sums.coefficients, part);
          part.back() += sums.loss;
        }
      });
  result.plane.loss = total.back();
  total.pop_back();
  result.coefficients = std::move(total);
  return result;
}

std::vector<double> bit_coefficients(const ListTable& lists, std::span<const CuttingPlane> planes,
                                     std::span<const std::int8_t> signs, Threads threads) {
  const auto chunks = lists.chunks();
  std::vector<std::vector<double>> partial(chunks.size());
  parallel_for(std::ssize(chunks), threads, 1, [&](Index at, Index) {
    const ListChunk& chunk = chunks[static_cast<std::size_t>(at)];
    std::vector<double>& sums = partial[static_cast<std::size_t>(at)];
    sums.assign(planes.size(), 0.0);
    std::vector<std::int16_t> differs(static_cast<std::size_t>(chunk.items()));
    for (Index list = 0; list < chunk.lists; ++list) {
      const auto number = static_cast<std::size_t>(chunk.first_list + list);
      const auto first = static_cast<std::size_t>(chunk.first_pair + list * chunk.items());
      const std::int8_t query = signs[static_cast<std::size_t>(lists.queries()[number])];
      for (std::size_t l = 0; l < differs.size(); ++l) {
        const bool different = signs[static_cast<std::size_t>(lists.items()[first + l])] != query;
        const bool relevant = static_cast<Index>(l) < chunk.relevant;
        differs[l] = static_cast<std::int16_t>(different ? (relevant ? -1 : 1) : 0);
      }
      const double scale = lists.inversion_scales()[number];
      for (std::size_t t = 0; t < planes.size(); ++t) {
        std::int32_t count = 0;
        for (std::size_t l = 0; l < differs.size(); ++l) {
          count += differs[l] * static_cast<std::int16_t>(planes[t].low[first + l]);
        }
        if (!planes[t].high.empty()) {
          for (std::size_t l = 0; l < differs.size(); ++l) {
            count += 256 * differs[l] * static_cast<std::int16_t>(planes[t].high[first + l]);
          }
        }
        sums[t] += scale * count;
      }
    }
  });
  return lists.shards().sum(std::ssize(planes), [&](Index shard, std::span<double> part) {
    const RowRange range = lists.chunks_of(shard);
    for (Index at = range.begin; at < range.end; ++at) {
      add(partial[static_cast<std::size_t>(at)], part);
    }
  });
}

double pair_objective(const ListTable& lists, std::span<const float> pair_weights,
                      std::span<const std::int8_t> signs, Threads threads) {
  const auto chunks = lists.chunks();
  std::vector<double> partial(chunks.size(), 0.0);
  parallel_for(std::ssize(chunks), threads, 1, [&](Index at, Index) {
    const ListChunk& chunk = chunks[static_cast<std::size_t>(at)];
    for (Index list = 0; list < chunk.lists; ++list) {
      const auto first = static_cast<std::size_t>(chunk.first_pair + list * chunk.items());
      const auto query = lists.queries()[static_cast<std::size_t>(chunk.first_list + list)];
      float sum = 0.0F;
      for (std::size_t l = 0; l < static_cast<std::size_t>(chunk.items()); ++l) {
        const auto item = static_cast<std::size_t>(lists.items()[first + l]);
        sum += signs[item] > 0 ? pair_weights[first + l] : -pair_weights[first + l];
      }
      partial[static_cast<std::size_t>(at)] +=
          0.5 * static_cast<double>(sum) * signs[static_cast<std::size_t>(query)];
    }
  });
  return lists.shards().sum(1, [&](Index shard, std::span<double> part) {
    const RowRange range = lists.chunks_of(shard);
    for (Index at = range.begin; at < range.end; ++at) {
      part[0] += partial[static_cast<std::size_t>(at)];
    }
  })[0];
}

std::vector<float> pair_weights(const ListTable& lists, std::span<const CuttingPlane> planes,
                                std::span<const double> duals, Threads threads) {
  const auto chunks = lists.chunks();
  std::vector<float> weights(static_cast<std::size_t>(lists.pairs()), 0.0F);
  parallel_for(std::ssize(chunks), threads, 1, [&](Index at, Index) {
    const ListChunk& chunk = chunks[static_cast<std::size_t>(at)];
    float* sums = weights.data() + chunk.first_pair;
    const auto size = static_cast<std::size_t>(chunk.lists * chunk.items());
    const auto first = static_cast<std::size_t>(chunk.first_pair);
    for (std::size_t t = 0; t < planes.size(); ++t) {
      if (duals[t] <= 0.0) {
        continue;
      }
      const auto dual = static_cast<float>(duals[t]);
      for (std::size_t i = 0; i < size; ++i) {
        sums[i] += dual * static_cast<float>(planes[t].low[first + i]);
      }
      for (std::size_t i = 0; i < size && !planes[t].high.empty(); ++i) {
        sums[i] += 256.0F * dual * static_cast<float>(planes[t].high[first + i]);
      }
    }
    for (Index list = 0; list < chunk.lists; ++list) {
      const auto scale = static_cast<float>(
          lists.inversion_scales()[static_cast<std::size_t>(chunk.first_list + list)]);
      for (Index l = 0; l < chunk.items(); ++l) {
        sums[list * chunk.items() + l] *= l < chunk.relevant ? scale : -scale;
      }
    }
  });
  return weights;
}

}  // namespace structhash
