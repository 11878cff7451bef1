#include "structhash/learner/cutting_plane.hpp"

#include <algorithm>
#include <array>

#include "structhash/core/parallel.hpp"
#include "structhash/ranking/row_oracle.hpp"

namespace structhash {
namespace {

/// Partial sums of the weights, 256 per byte of a code: a distance is one look-up per byte.
std::vector<float> byte_table(std::span<const double> weights) {
  const std::size_t bytes = (weights.size() + 7) / 8;
  std::vector<float> table(bytes * 256, 0.0F);
  for (std::size_t byte = 0; byte < bytes; ++byte) {
    for (std::size_t value = 0; value < 256; ++value) {
      double sum = 0.0;
      for (std::size_t bit = 0; bit < 8 && byte * 8 + bit < weights.size(); ++bit) {
        sum += ((value >> bit) & 1U) != 0 ? weights[byte * 8 + bit] : 0.0;
      }
      table[byte * 256 + value] = static_cast<float>(sum);
    }
  }
  return table;
}

/// Weighted Hamming distance, Eq. (6), of two training rows.
float distance(const std::uint64_t* a, const std::uint64_t* b, std::size_t bytes,
               const float* table) {
  float sum = 0.0F;
  for (std::size_t byte = 0; byte < bytes; ++byte) {
    const std::uint64_t difference = (a[byte / 8] ^ b[byte / 8]) >> (8 * (byte % 8));
    sum += table[byte * 256 + (difference & 255U)];
  }
  return sum;
}

/// Adds `count` to sums[b] for every bit b that is set in a word.
void add_where_set(std::uint64_t word, std::int32_t count, std::int32_t* sums) {
  while (word != 0) {
    sums[__builtin_ctzll(word)] += count;
    word &= word - 1;
  }
}

struct ChunkSums {
  double loss = 0.0;
  std::vector<double> coefficients;
};

/// delta psi of one list, Eq. (13) collapsed (docs/methods.md A.7), added to the chunk's sums.
void add_joint_feature(const ListTable& lists, const CodeMatrix& codes, const ListChunk& chunk,
                       Index list, const std::uint16_t* inversions,
                       std::vector<std::int32_t>& counts, ChunkSums& sums) {
  std::ranges::fill(counts, 0);
  const auto words = static_cast<std::size_t>(codes.words_per_code());
  const Index number = chunk.first_list + list;
  const CodeView query = codes.row(lists.queries()[static_cast<std::size_t>(number)]);
  const std::int32_t* items =
      lists.items().data() + chunk.first_pair + list * chunk.items();
  for (Index l = 0; l < chunk.items(); ++l) {
    const std::int32_t inverted = inversions[l];
    if (inverted == 0) {
      continue;
    }
    const std::int32_t signed_count = l < chunk.relevant ? -inverted : inverted;
    const CodeView item = codes.row(items[l]);
    for (std::size_t word = 0; word < words; ++word) {
      add_where_set(query[word] ^ item[word], signed_count, counts.data() + 64 * word);
    }
  }
  const double scale = lists.inversion_scales()[static_cast<std::size_t>(number)];
  for (std::size_t bit = 0; bit < sums.coefficients.size(); ++bit) {
    sums.coefficients[bit] += scale * counts[bit];
  }
}

}  // namespace

ViolatedPlane most_violated_plane(const ListTable& lists, const CodeMatrix& codes,
                                  std::span<const double> weights, int threads) {
  const auto chunks = lists.chunks();
  const auto pairs = static_cast<std::size_t>(lists.pairs());
  ViolatedPlane result;
  result.plane.low.resize(pairs);
  if (lists.largest_inversion() > 255) {
    result.plane.high.resize(pairs);
  }
  const std::vector<float> table = byte_table(weights);
  const std::size_t bytes = table.size() / 256;
  std::vector<ChunkSums> partial(chunks.size());

  parallel_for(std::ssize(chunks), threads, 1, [&](Index at, Index) {
    const ListChunk& chunk = chunks[static_cast<std::size_t>(at)];
    const auto size = static_cast<std::size_t>(chunk.lists * chunk.items());
    std::vector<float> distances(size);
    for (Index list = 0; list < chunk.lists; ++list) {
      const auto number = static_cast<std::size_t>(chunk.first_list + list);
      const std::uint64_t* query = codes.row(lists.queries()[number]).data();
      const Index offset = list * chunk.items();
      const std::int32_t* items = lists.items().data() + chunk.first_pair + offset;
      for (Index l = 0; l < chunk.items(); ++l) {
        distances[static_cast<std::size_t>(offset + l)] =
            distance(query, codes.row(items[l]).data(), bytes, table.data());
      }
    }
    std::vector<std::uint16_t> inversions(size);
    std::vector<double> losses(static_cast<std::size_t>(chunk.lists));
    most_violated_batch(*chunk.gains, distances, inversions, losses);

    ChunkSums& sums = partial[static_cast<std::size_t>(at)];
    sums.coefficients.assign(weights.size(), 0.0);
    std::vector<std::int32_t> counts(static_cast<std::size_t>(64 * codes.words_per_code()));
    for (Index list = 0; list < chunk.lists; ++list) {
      sums.loss += lists.weights()[static_cast<std::size_t>(chunk.first_list + list)] *
                   losses[static_cast<std::size_t>(list)];
      add_joint_feature(lists, codes, chunk, list, inversions.data() + list * chunk.items(), counts,
                        sums);
    }
    const auto first = static_cast<std::size_t>(chunk.first_pair);
    for (std::size_t i = 0; i < size; ++i) {
      result.plane.low[first + i] = static_cast<std::uint8_t>(inversions[i] & 255U);
      if (!result.plane.high.empty()) {
        result.plane.high[first + i] = static_cast<std::uint8_t>(inversions[i] >> 8U);
      }
    }
  });

  result.coefficients.assign(weights.size(), 0.0);
  for (const ChunkSums& sums : partial) {  // in chunk order: the same bytes for any threads
    result.plane.loss += sums.loss;
    for (std::size_t bit = 0; bit < weights.size(); ++bit) {
      result.coefficients[bit] += sums.coefficients[bit];
    }
  }
  return result;
}

std::vector<double> bit_coefficients(const ListTable& lists, std::span<const CuttingPlane> planes,
                                     std::span<const std::int8_t> signs, int threads) {
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
  std::vector<double> total(planes.size(), 0.0);
  for (const std::vector<double>& sums : partial) {
    for (std::size_t t = 0; t < total.size(); ++t) {
      total[t] += sums[t];
    }
  }
  return total;
}

std::vector<float> pair_weights(const ListTable& lists, std::span<const CuttingPlane> planes,
                                std::span<const double> duals, int threads) {
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
