#include "hashing/simd/response_panel.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hashing/simd/response_panel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "hashing/simd/panel_sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace structhash::HWY_NAMESPACE {

/// Responses of kRows rows to kWide vectors of anchors, beginning at anchor `first`.
template <std::size_t kRows, std::size_t kWide>
void response_group(const ResponseRows& rows, const AnchorPanel& panel, std::size_t first) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto place = [&](std::size_t r, std::size_t v) {
    return rows.responses + r * rows.response_stride + first + v * lanes;
  };
  for (std::size_t begin = 0; begin < rows.rows.depth; begin += kResponseSlice) {
    const std::size_t end = std::min(rows.rows.depth, begin + kResponseSlice);
    const auto sums = panel_sums<kRows, kWide>(rows.rows, begin, end, panel.anchors, first);
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t v = 0; v < kWide; ++v) {
        const auto before = begin == 0 ? hn::Zero(d) : hn::LoadU(d, place(r, v));
        hn::StoreU(hn::Add(before, sums.at[r][v]), d, place(r, v));
      }
    }
  }
  const auto minus_gamma = hn::Set(d, -panel.gamma);
  const auto minus_two = hn::Set(d, -2.0F);
  for (std::size_t r = 0; r < kRows; ++r) {
    const auto norm = hn::Set(d, rows.squared_norms[r]);
    for (std::size_t v = 0; v < kWide; ++v) {
      const auto norms = hn::Add(norm, hn::LoadU(d, panel.squared_norms + first + v * lanes));
      const auto t = hn::Max(hn::MulAdd(minus_two, hn::LoadU(d, place(r, v)), norms), hn::Zero(d));
      hn::StoreU(hn::Exp(d, hn::Mul(minus_gamma, t)), d, place(r, v));
    }
  }
}

template <std::size_t kRows>
void response_groups(const ResponseRows& rows, const AnchorPanel& panel) {
  const std::size_t lanes = hn::Lanes(Floats());
  for (std::size_t first = 0; first < panel.count; first += kVectors * lanes) {
    const std::size_t vectors = (panel.count - first + lanes - 1) / lanes;
    if (vectors == 1) {
      response_group<kRows, 1>(rows, panel, first);
    } else if (kVectors > 2 && vectors == 2) {
      response_group<kRows, 2>(rows, panel, first);
    } else if (kVectors > 2 && vectors == 3) {
      response_group<kRows, kVectors - 1>(rows, panel, first);
    } else {
      response_group<kRows, kVectors>(rows, panel, first);
    }
  }
}

void response_panel_target(const ResponseRows& rows, const AnchorPanel& panel) {
  if (rows.rows.rows == kPanelRows) {
    response_groups<kPanelRows>(rows, panel);
    return;
  }
  for (std::size_t r = 0; r < rows.rows.rows; ++r) {
    response_groups<1>({rows.rows.row(r), rows.squared_norms + r,
                        rows.responses + r * rows.response_stride, rows.response_stride},
                       panel);
  }
}

}  // namespace structhash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash {

HWY_EXPORT(response_panel_target);

void response_panel(const ResponseRows& rows, const AnchorPanel& panel) {
  HWY_DYNAMIC_DISPATCH(response_panel_target)(rows, panel);
}

}  // namespace structhash
#endif
