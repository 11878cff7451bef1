#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "structhash/search/search_engine.hpp"

/// The rows found so far; the same row may be found several times.
namespace structhash::search {

class ResultList {
 public:
  static ResultList nearest(Index k) {
    const Neighbour anything{std::numeric_limits<float>::infinity(), kLastRow};
    return {static_cast<std::size_t>(k), anything};
  }
  static ResultList within(float radius) { return {kAll, {radius, kLastRow}}; }

  /// Neighbours after it cannot become part of the answer.
  const Neighbour& limit() const { return limit_; }
  /// The limit was given and does not fall.
  bool limit_is_fixed() const { return keep_ == kAll; }

  void add(const Neighbour& found) {
    if (found <= limit_) {
      found_.push_back(found);
      if (found_.size() - settled_ > keep_) {
        settle();
      }
    }
  }

  /// Sorts, drops duplicates and neighbours over the limit, and updates the limit.
  void settle() {
    if (settled_ == found_.size()) {
      return;
    }
    const auto middle = found_.begin() + static_cast<std::ptrdiff_t>(settled_);
    std::ranges::sort(middle, found_.end());
    std::ranges::inplace_merge(found_, middle);
    const auto repeated = std::ranges::unique(found_);
    found_.erase(repeated.begin(), repeated.end());
    if (found_.size() >= keep_) {
      found_.resize(keep_);
      limit_ = found_.back();
    }
    settled_ = found_.size();
  }

  std::vector<Neighbour> take() {
    settle();
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  static constexpr Index kLastRow = std::numeric_limits<Index>::max();

  ResultList(std::size_t keep, const Neighbour& limit) : keep_(keep), limit_(limit) {}

  std::size_t keep_;
  Neighbour limit_;
  std::vector<Neighbour> found_;
  std::size_t settled_ = 0;  // number of entries that are sorted and unique
};

}  // namespace structhash::search
