#include "structhash/core/rng.hpp"

#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

}  // namespace

Seed Seed::fork(std::string_view stream) const {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a of the name
  for (const char c : stream) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return fork(hash);
}

Seed Seed::fork(std::uint64_t number) const {
  std::uint64_t state = value ^ (0xd1342543de82ef95ULL * (number + 1));
  return Seed{splitmix64(state)};
}

Rng::Rng(Seed seed) {
  std::uint64_t state = seed.value;
  for (std::uint64_t& word : state_) {
    word = splitmix64(state);
  }
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() {
  return static_cast<double>(next() >> 11U) * 0x1.0p-53;
}

double Rng::normal() {
  if (std::exchange(has_spare_, false)) {
    return spare_;
  }
  double u = 0.0;
  double v = 0.0;
  double s = 0.0;
  do {
    u = 2.0 * uniform() - 1.0;
    v = 2.0 * uniform() - 1.0;
    s = u * u + v * v;
  } while (s >= 1.0 || s == 0.0);
  const double scale = std::sqrt(-2.0 * std::log(s) / s);
  spare_ = v * scale;
  has_spare_ = true;
  return u * scale;
}

Index Rng::below(Index bound) {
  require(bound >= 1, "Rng::below needs a bound of at least 1");
  const auto range = static_cast<std::uint64_t>(bound);
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range;  // a multiple of the range
  std::uint64_t draw = next();
  while (draw >= limit) {
    draw = next();
  }
  return static_cast<Index>(draw % range);
}

void Rng::shuffle(std::span<Index> values) {
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[static_cast<std::size_t>(below(static_cast<Index>(i)))]);
  }
}

/// The first `count` steps of a Fisher-Yates shuffle whose untouched entries are not stored.
std::vector<Index> sample_without_replacement(Index population, Index count, Rng& rng) {
  require(count >= 0 && count <= population, "cannot draw more items than there are");
  std::unordered_map<Index, Index> moved;
  std::vector<Index> sample;
  sample.reserve(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) {
    const Index pick = i + rng.below(population - i);
    const auto at = [&](Index key) {
      const auto found = moved.find(key);
      return found == moved.end() ? key : found->second;
    };
    sample.push_back(at(pick));
    moved[pick] = at(i);
  }
  return sample;
}

}  // namespace structhash
