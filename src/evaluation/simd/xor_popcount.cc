#include "evaluation/simd/xor_popcount.hpp"

#include <bit>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "evaluation/simd/xor_popcount.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace structhash::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The words are read as one stream, whatever the length of a code: the pattern is laid out once so
/// often that every vector of the stream finds its own stretch of it.
void xor_popcount(const std::uint64_t* words, std::size_t count, const std::uint64_t* pattern,
                  std::size_t period, std::uint8_t* counts) {
  const hn::ScalableTag<std::uint64_t> wide;
  const hn::Rebind<std::uint8_t, decltype(wide)> narrow;
  const std::size_t lanes = hn::Lanes(wide);
  std::vector<std::uint64_t> repeated(period * lanes);
  for (std::size_t i = 0; i < repeated.size(); ++i) {
    repeated[i] = pattern[i % period];
  }
  std::size_t i = 0;
  std::size_t phase = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto difference =
        hn::Xor(hn::LoadU(wide, words + i), hn::LoadU(wide, repeated.data() + phase));
    hn::StoreU(hn::TruncateTo(narrow, hn::PopulationCount(difference)), narrow, counts + i);
    phase += lanes;
    phase = phase == repeated.size() ? 0 : phase;
  }
  for (; i < count; ++i) {
    counts[i] = static_cast<std::uint8_t>(std::popcount(words[i] ^ pattern[i % period]));
  }
}

}  // namespace structhash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash {

HWY_EXPORT(xor_popcount);

void xor_popcount(const std::uint64_t* words, std::size_t count, const std::uint64_t* pattern,
                  std::size_t period, std::uint8_t* counts) {
  HWY_DYNAMIC_DISPATCH(xor_popcount)(words, count, pattern, period, counts);
}

}  // namespace structhash
#endif
