#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "structhash/core/types.hpp"

/// Multi-labels as bits: comparing two rows takes one AND per 64 labels.
namespace structhash {

class LabelMasks {
 public:
  explicit LabelMasks(const Matrix<std::uint8_t>& labels)
      : rows_(labels.rows()),
        words_((labels.cols() + 63) / 64),
        masks_(static_cast<std::size_t>(rows_ * words_)) {
    for (Index row = 0; row < rows_; ++row) {
      for (Index label = 0; label < labels.cols(); ++label) {
        if (labels(row, label) != 0) {
          masks_[static_cast<std::size_t>(row * words_ + label / 64)] |=
              std::uint64_t{1} << static_cast<unsigned>(label % 64);
        }
      }
    }
  }

  Index rows() const { return rows_; }
  std::span<const std::uint64_t> row(Index i) const {
    return {masks_.data() + i * words_, static_cast<std::size_t>(words_)};
  }

  /// related[i] = 1 where row i shares a label with `mask`, else 0.
  void related(std::span<const std::uint64_t> mask, std::span<std::uint8_t> related) const {
    for (std::size_t i = 0; i < related.size(); ++i) {
      const std::uint64_t* words = masks_.data() + i * mask.size();
      std::uint64_t common = 0;
      for (std::size_t word = 0; word < mask.size(); ++word) {
        common |= words[word] & mask[word];
      }
      related[i] = common != 0 ? 1 : 0;
    }
  }

  /// shared[i] = number of labels that row i has in common with `mask`.
  void shared(std::span<const std::uint64_t> mask, std::span<int> shared) const {
    for (std::size_t i = 0; i < shared.size(); ++i) {
      const std::uint64_t* words = masks_.data() + i * mask.size();
      shared[i] = 0;
      for (std::size_t word = 0; word < mask.size(); ++word) {
        shared[i] += std::popcount(words[word] & mask[word]);
      }
    }
  }

 private:
  Index rows_;
  Index words_;
  std::vector<std::uint64_t> masks_;
};

}  // namespace structhash
