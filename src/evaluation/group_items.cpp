#include "evaluation/group_items.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace structhash {
namespace {

/// Groups of sorted keys, whose lowest bit is the relevance.
template <typename Keys, typename DistanceOf, typename LowBits>
void group_sorted(const Keys& items, Ties ties, DistanceOf distance_of, LowBits low_bits,
                  std::vector<TieGroup>& groups) {
  GroupBuilder builder(ties, groups);
  for (std::size_t begin = 0; begin < items.size();) {
    const auto distance = distance_of(items[begin]);
    TieGroup group;
    std::size_t end = begin;
    do {
      group.relevant += static_cast<Index>(low_bits(items[end]) & 1U);
      ++end;
    } while (ties != Ties::id && end < items.size() && distance_of(items[end]) == distance);
    group.items = static_cast<Index>(end - begin);
    builder.add(group);
    begin = end;
  }
  builder.finish();
}

/// Unsigned numbers in the order of the doubles: sign bit flipped for positive ones, all bits for
/// negative ones.  Adding zero makes -0 and +0 equal.
std::uint64_t ordered(double distance) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(distance + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

}  // namespace

/// Four tables, filled in turn: neighbouring items often share a counter, and one table would wait
/// for its own last store.
std::vector<TieGroup> count_by_distance(std::span<const std::uint16_t> distances,
                                        std::span<const std::uint8_t> relevant, Index largest) {
  constexpr std::size_t kTables = 4;
  const std::size_t width = 2 * (static_cast<std::size_t>(largest) + 1);
  std::vector<std::uint32_t> counts(kTables * width);
  const std::size_t whole = distances.size() / kTables * kTables;
  const auto count = [&](std::size_t table, std::size_t i) {
    ++counts[table * width + 2 * std::size_t{distances[i]} + relevant[i]];
  };
  for (std::size_t i = 0; i < whole; i += kTables) {
    count(0, i);
    count(1, i + 1);
    count(2, i + 2);
    count(3, i + 3);
  }
  for (std::size_t i = whole; i < distances.size(); ++i) {
    count(0, i);
  }
  std::vector<TieGroup> by_distance(static_cast<std::size_t>(largest) + 1);
  for (std::size_t distance = 0; distance < by_distance.size(); ++distance) {
    for (std::size_t table = 0; table < kTables; ++table) {
      const Index others = counts[table * width + 2 * distance];
      const Index found = counts[table * width + 2 * distance + 1];
      by_distance[distance].items += others + found;
      by_distance[distance].relevant += found;
    }
  }
  return by_distance;
}

void CountingGrouper::group(std::span<const std::uint16_t> distances,
                            std::span<const std::uint8_t> relevant,
                            const std::vector<TieGroup>& by_distance,
                            std::vector<TieGroup>& groups) {
  GroupBuilder builder(ties_, groups);
  if (ties_ != Ties::id) {
    for (const TieGroup& group : by_distance) {
      if (group.items > 0) {
        builder.add(group);
      }
    }
    builder.finish();
    return;
  }
  std::vector<std::size_t> next(by_distance.size());  // where the next item at a distance goes
  for (std::size_t distance = 1; distance < next.size(); ++distance) {
    next[distance] = next[distance - 1] + static_cast<std::size_t>(by_distance[distance - 1].items);
  }
  in_order_.resize(distances.size());
  for (std::size_t i = 0; i < distances.size(); ++i) {
    in_order_[next[distances[i]]++] = relevant[i];
  }
  for (const std::uint8_t is_relevant : in_order_) {
    builder.add({.items = 1, .relevant = is_relevant});
  }
  builder.finish();
}

/// The bits of floats >= 0 sort like the floats and leave the sign bit free: shifted up by one they
/// carry the relevance in the lowest bit.  If ties go by id, the id is between the two.
void SortingGrouper::group(std::span<const float> distances, std::span<const std::uint8_t> relevant,
                           std::vector<TieGroup>& groups) {
  const auto same = [](auto key) { return key; };
  const auto bits = [&](std::size_t i) { return std::bit_cast<std::uint32_t>(distances[i]); };
  if (ties_ != Ties::id) {
    keys_.resize(distances.size());
    for (std::size_t i = 0; i < distances.size(); ++i) {
      keys_[i] = bits(i) << 1U | relevant[i];
    }
    sorter_.sort(keys_);
    group_sorted(keys_, ties_, [](std::uint32_t key) { return key >> 1U; }, same, groups);
    return;
  }
  keys_with_id_.resize(distances.size());
  for (std::size_t i = 0; i < distances.size(); ++i) {
    keys_with_id_[i] = std::uint64_t{bits(i)} << 33U | i << 1U | relevant[i];
  }
  sorter_.sort(keys_with_id_);
  group_sorted(keys_with_id_, ties_, [](std::uint64_t key) { return key >> 33U; }, same, groups);
}

void SortingGrouper::group(std::span<const double> distances,
                           std::span<const std::uint8_t> relevant, std::vector<TieGroup>& groups) {
  wide_keys_.clear();
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (distances[i] != INFINITY) {
      wide_keys_.push_back(
          {.lo = std::uint64_t{i} << 1U | relevant[i], .hi = ordered(distances[i])});
    }
  }
  sorter_.sort(wide_keys_);
  group_sorted(
      wide_keys_, ties_, [](const WideKey& key) { return key.hi; },
      [](const WideKey& key) { return key.lo; }, groups);
}

}  // namespace structhash
