#include "features/resize.hpp"

#include <algorithm>
#include <cmath>

namespace structhash::features {
namespace {

/// The pixels that one pixel of the result averages.
struct Taps {
  Index first = 0;
  std::vector<float> weights;
};

/// Result pixel i, of `size` that are cut from the centre of the resized side, lies at
///   centre = (i + cut + 1/2) step - 1/2,   step = length / resized,
/// and pixel j has the weight max(0, 1 - |j - centre| / max(1, step)), normalised to the sum 1.
std::vector<Taps> make_taps(Index length, double step, Index size) {
  const double reach = std::max(1.0, step);
  const double cut = (to_double(length) / step - to_double(size)) / 2.0;
  std::vector<Taps> taps(static_cast<std::size_t>(size));
  for (Index i = 0; i < size; ++i) {
    const double centre = (to_double(i) + cut + 0.5) * step - 0.5;
    const Index first =
        std::clamp<Index>(static_cast<Index>(std::ceil(centre - reach)), 0, length - 1);
    const Index last =
        std::clamp<Index>(static_cast<Index>(std::floor(centre + reach)), first, length - 1);
    Taps& own = taps[static_cast<std::size_t>(i)];
    own.first = first;
    double sum = 0.0;
    std::vector<double> weights;
    for (Index j = first; j <= last; ++j) {
      weights.push_back(std::max(0.0, 1.0 - std::abs(to_double(j) - centre) / reach));
      sum += weights.back();
    }
    for (const double weight : weights) {
      own.weights.push_back(
          static_cast<float>(sum > 0.0 ? weight / sum : 1.0 / to_double(last - first + 1)));
    }
  }
  return taps;
}

/// Resizes the rows only; the result is as wide as the picture.
Matrix<float> shrink_rows(const Picture& picture, const std::vector<Taps>& taps) {
  const Index row_length = picture.width * picture.channels;
  Matrix<float> rows = Matrix<float>::Zero(static_cast<Index>(taps.size()), row_length);
  for (Index y = 0; y < rows.rows(); ++y) {
    const Taps& own = taps[static_cast<std::size_t>(y)];
    for (std::size_t t = 0; t < own.weights.size(); ++t) {
      const std::uint8_t* from =
          picture.pixels.data() + (own.first + static_cast<Index>(t)) * row_length;
      for (Index x = 0; x < row_length; ++x) {
        rows(y, x) += own.weights[t] * static_cast<float>(from[x]);
      }
    }
  }
  return rows;
}

}  // namespace

Picture resize_and_crop(const Picture& picture, Index size) {
  if (picture.height == size && picture.width == size) {
    return picture;
  }
  const double step = to_double(std::min(picture.height, picture.width)) / to_double(size);
  const Matrix<float> rows = shrink_rows(picture, make_taps(picture.height, step, size));
  const std::vector<Taps> taps = make_taps(picture.width, step, size);
  const Index channels = picture.channels;
  Picture result{size, size, channels, {}};
  result.pixels.reserve(static_cast<std::size_t>(size * size * channels));
  for (Index y = 0; y < size; ++y) {
    for (const Taps& own : taps) {
      for (Index c = 0; c < channels; ++c) {
        float sum = 0.0F;
        for (std::size_t t = 0; t < own.weights.size(); ++t) {
          sum += own.weights[t] * rows(y, (own.first + static_cast<Index>(t)) * channels + c);
        }
        result.pixels.push_back(
            static_cast<std::uint8_t>(std::clamp(std::nearbyint(sum), 0.0F, 255.0F)));
      }
    }
  }
  return result;
}

}  // namespace structhash::features
