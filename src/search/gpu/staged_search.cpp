#include "search/gpu/staged_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace structhash::search::gpu {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();
constexpr Index kSmallerParts = 8;
/// Device runs after which the codes of the remaining queries are taken to be too much alike.
constexpr int kMaxRuns = 100;

/// The first part is a small one, of which every row is a hit; after each part `growth` times as
/// many rows as before it are done, so that about k (growth - 1) rows are hits.
std::vector<RowRange> growing_parts(const DeviceLimits& limits, Index queries, Index k) {
  constexpr Index kFirst = 1024;
  constexpr Index kFew = 16;  // the start of a scan takes longer than its hits
  const Index growth = std::clamp<Index>(limits.capacity / (2 * k), 2, queries <= kFew ? 8 : 4);
  std::vector<RowRange> parts;
  for (Index begin = 0, end = std::min(limits.capacity, std::max(kFirst, 4 * k));
       begin < limits.rows; begin = end, end *= growth) {
    parts.push_back({.begin = begin, .end = std::min(end, limits.rows)});
  }
  return parts;
}

std::vector<RowRange> equal_parts(RowRange range, Index capacity) {
  const Index rows = range.end - range.begin;
  const Index size = std::max(capacity, (rows + kSmallerParts - 1) / kSmallerParts);
  std::vector<RowRange> parts;
  for (Index begin = range.begin; begin < range.end; begin += size) {
    parts.push_back({.begin = begin, .end = std::min(begin + size, range.end)});
  }
  return parts;
}

/// Makes batches of some of the queries.
class Batches {
 public:
  explicit Batches(const DeviceQueries& queries) : queries_(queries) {
    if (!queries.own_weights) {
      common_ = quantise(0, kFar);
    }
  }

  QueryBatch of(const std::vector<Index>& which, std::span<const Key> bounds) const {
    QueryBatch batch;
    for (const Index query : which) {
      const Key bound = bounds.empty() ? kNoKey : bounds[static_cast<std::size_t>(query)];
      const bool shared = !queries_.own_weights && (queries_.weights.empty() || bound == kNoKey);
      batch.add(queries_.codes.row(query),
                shared ? common_
                       : quantise(query, bound == kNoKey ? kFar : neighbour_of(bound).distance));
      batch.bounds.back() = bound;
    }
    batch.own_weights = queries_.own_weights;
    if (!queries_.weights.empty()) {
      const std::size_t lists = queries_.own_weights ? which.size() : 1;
      const auto stride = static_cast<std::size_t>(64 * batch.words);
      batch.weights.resize(lists * stride);
      for (std::size_t i = 0; i < lists; ++i) {
        std::ranges::copy(queries_.weights_of(which[i]),
                          batch.weights.begin() + static_cast<std::ptrdiff_t>(i * stride));
      }
    }
    return batch;
  }

 private:
  QuantisedWeights quantise(Index query, float near) const {
    return queries_.weights.empty() ? quantise_plain(queries_.codes.bits)
                                    : quantise_weights(queries_.weights_of(query), near);
  }

  const DeviceQueries& queries_;
  QuantisedWeights common_;
};

class NearestSearch {
 public:
  NearestSearch(ScanDevice& device, const DeviceQueries& queries, Index k)
      : device_(device),
        k_(k),
        batches_(queries),
        bounds_(static_cast<std::size_t>(queries.codes.rows), kNoKey),
        nearest_(bounds_.size()),
        finished_(bounds_.size(), true) {}

  StagedAnswer run() {
    std::vector<Index> all(nearest_.size());
    std::iota(all.begin(), all.end(), Index{0});
    search(all, growing_parts(device_.limits(), std::ssize(all), k_));
    StagedAnswer answer{.lists = Neighbours(nearest_.size()), .unfinished = {}};
    for (std::size_t query = 0; query < nearest_.size(); ++query) {
      if (!finished_[query]) {
        answer.unfinished.push_back(static_cast<Index>(query));
        continue;
      }
      answer.lists[query].reserve(nearest_[query].size());
      for (const Key key : nearest_[query]) {
        answer.lists[query].push_back(neighbour_of(key));
      }
    }
    return answer;
  }

 private:
  void search(const std::vector<Index>& which, const std::vector<RowRange>& parts) {
    if (++runs_ > kMaxRuns) {
      for (const Index query : which) {
        finished_[static_cast<std::size_t>(query)] = false;
      }
      return;
    }
    QueryBatch batch = batches_.of(which, bounds_);
    for (std::size_t i = 0; i < which.size(); ++i) {
      batch.nearest[i] = std::move(nearest_[static_cast<std::size_t>(which[i])]);
    }
    Ranking ranking = device_.nearest(batch, parts, k_);
    for (std::size_t i = 0; i < which.size(); ++i) {
      nearest_[static_cast<std::size_t>(which[i])] = std::move(ranking.nearest[i]);
      bounds_[static_cast<std::size_t>(which[i])] = ranking.bounds[i];
    }
    for (std::size_t part = 0; part < parts.size(); ++part) {
      std::vector<Index> again;
      for (std::size_t i = 0; i < which.size(); ++i) {
        if (ranking.overflowed[part * which.size() + i] != 0) {
          again.push_back(which[i]);
        }
      }
      if (!again.empty()) {
        search(again, equal_parts(parts[part], device_.limits().capacity));
      }
    }
  }

  ScanDevice& device_;
  Index k_;
  Batches batches_;
  std::vector<Key> bounds_;
  std::vector<std::vector<Key>> nearest_;
  std::vector<bool> finished_;
  int runs_ = 0;
};

class RadiusSearch {
 public:
  RadiusSearch(ScanDevice& device, const DeviceQueries& queries, float radius)
      : device_(device),
        batches_(queries),
        bounds_(static_cast<std::size_t>(queries.codes.rows), key_of(radius, 0xFFFFFFFFU)),
        lists_(bounds_.size()),
        finished_(bounds_.size(), true) {}

  StagedAnswer run() {
    std::vector<Index> all(lists_.size());
    std::iota(all.begin(), all.end(), Index{0});
    search(all, {.begin = 0, .end = device_.limits().rows});
    StagedAnswer answer{.lists = std::move(lists_), .unfinished = {}};
    for (std::size_t query = 0; query < finished_.size(); ++query) {
      if (!finished_[query]) {
        answer.lists[query].clear();
        answer.unfinished.push_back(static_cast<Index>(query));
      }
    }
    return answer;
  }

 private:
  void search(const std::vector<Index>& which, RowRange range) {
    const bool too_many = ++runs_ > kMaxRuns;
    const Hits hits = too_many ? Hits{} : device_.within(batches_.of(which, bounds_), range);
    std::vector<Index> again;
    for (std::size_t i = 0; i < which.size(); ++i) {
      const auto query = static_cast<std::size_t>(which[i]);
      if (too_many) {
        finished_[query] = false;
      } else if (hits.counts[i] > hits.rows[i].size()) {
        again.push_back(which[i]);
      } else {
        for (const std::uint32_t row : hits.rows[i]) {
          lists_[query].push_back({.distance = 0.0F, .row = static_cast<Index>(row)});
        }
      }
    }
    if (!again.empty()) {
      for (const RowRange& part : equal_parts(range, device_.limits().capacity)) {
        search(again, part);
      }
    }
  }

  ScanDevice& device_;
  Batches batches_;
  std::vector<Key> bounds_;
  Neighbours lists_;
  std::vector<bool> finished_;
  int runs_ = 0;
};

}  // namespace

std::span<const float> DeviceQueries::weights_of(Index query) const {
  const auto bits = static_cast<std::size_t>(codes.bits);
  return own_weights ? weights.subspan(static_cast<std::size_t>(query) * bits, bits) : weights;
}

StagedAnswer staged_nearest(ScanDevice& device, const DeviceQueries& queries, Index k) {
  return NearestSearch(device, queries, k).run();
}

StagedAnswer staged_within(ScanDevice& device, const DeviceQueries& queries, float radius) {
  return RadiusSearch(device, queries, radius).run();
}

}  // namespace structhash::search::gpu
