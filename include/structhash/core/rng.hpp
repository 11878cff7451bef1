#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "structhash/core/types.hpp"

/// Random numbers that are the same on every platform: one seed, named streams, and distributions
/// of this library (those of the standard library are implementation-defined).
namespace structhash {

/// The start of a random stream.  `fork` gives every consumer its own stream, so a draw added in
/// one place changes nothing elsewhere.
struct Seed {
  std::uint64_t value = 1;
  Seed fork(std::string_view stream) const;
  Seed fork(std::uint64_t number) const;
};

/// xoshiro256** (Blackman, Vigna 2018), seeded by splitmix64.
class Rng {
 public:
  explicit Rng(Seed seed);
  std::uint64_t next();
  double uniform();          // in [0, 1)
  double normal();           // mean 0, variance 1 (Marsaglia's polar method)
  Index below(Index bound);  // in 0..bound-1, without bias; bound >= 1
  void shuffle(std::span<Index> values);

 private:
  std::array<std::uint64_t, 4> state_{};
  double spare_ = 0.0;
  bool has_spare_ = false;
};

/// `count` distinct numbers of 0..population-1, in random order; O(count) memory.
std::vector<Index> sample_without_replacement(Index population, Index count, Rng& rng);

}  // namespace structhash
