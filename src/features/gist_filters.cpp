#include "features/gist_filters.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace structhash::features {
namespace {

constexpr double kFinestFrequency = 0.3;  // cycles per pixel
constexpr double kScaleStep = 1.85;
constexpr double kRadialWidth = 3.5;   // 10 * 0.35 of LMgist
constexpr double kNegligible = 1e-6;   // of the largest gain, which is 1
constexpr double kAngularUnit = 64.0;  // 8 orientations have the angular factor 1

/// Gain of orientation j at scale s, for the frequency (fx, fy) in cycles per pixel, y downwards:
///
///   G(fx, fy) = exp(-3.5 (f / f_s - 1)^2 - 2 pi (J^2 / 64) t^2)
///   f = |(fx, fy)|,  f_s = 0.3 / 1.85^s,  t = atan2(fy, fx) + pi j / J, reduced to -pi..pi
///
/// and G(0, 0) = 0: a constant has no orientation.
class PolarGaussian {
 public:
  PolarGaussian(Index scale, Index orientation, Index orientations)
      : centre_(kFinestFrequency / std::pow(kScaleStep, to_double(scale))),
        turn_(std::numbers::pi * to_double(orientation) / to_double(orientations)),
        angular_(2.0 * std::numbers::pi * to_double(orientations * orientations) / kAngularUnit) {}

  double operator()(double fx, double fy) const {
    if (fx == 0.0 && fy == 0.0) {
      return 0.0;
    }
    const double radial = std::sqrt(fx * fx + fy * fy) / centre_ - 1.0;
    const double angle = std::remainder(std::atan2(fy, fx) + turn_, 2.0 * std::numbers::pi);
    const double gain = std::exp(-kRadialWidth * radial * radial - angular_ * angle * angle);
    return gain < kNegligible ? 0.0 : gain;
  }

 private:
  double centre_;
  double turn_;
  double angular_;
};

/// The mirrored image has the period 2H x 2W and a spectrum that is the real
/// cosine transform C of the image, k = 0.. in each direction, times the same phase for the four
/// frequencies (+-kx, +-ky).  With a = pi kx (2x + 1) / 2W, b = pi ky (2y + 1) / 2H, the response
/// is
///
///   z(y, x) = 1 / (H W) sum_{signs, kx, ky} G(+-kx, +-ky) C(ky, kx) exp(i (+-a +- b))
///     real part:       sum  C (S+ + S-) cos b cos a  +  C (S- - S+) sin b sin a
///     imaginary part:  sum  C (D+ + D-) cos b sin a  +  C (D+ - D-) sin b cos a
///   S+ = G(+,+) + G(-,-),  S- = G(+,-) + G(-,+),  D+ = G(+,+) - G(-,-),  D- = G(+,-) - G(-,+)
///
/// where a frequency 0, which has no second sign, counts half in each sum.
std::array<double, kParities.size()> part_weights(const PolarGaussian& gain, Index ky, Index kx,
                                                  ImageSize size) {
  const double fx = to_double(kx) / to_double(2 * size.width);
  const double fy = to_double(ky) / to_double(2 * size.height);
  const double same = gain(fx, fy);
  const double opposite = gain(-fx, -fy);
  const double down = gain(fx, -fy);
  const double up = gain(-fx, fy);
  const double share = (kx == 0 ? 0.5 : 1.0) * (ky == 0 ? 0.5 : 1.0) /
                       (to_double(size.height) * to_double(size.width));
  const double sum_plus = share * (same + opposite);
  const double sum_minus = share * (down + up);
  const double difference_plus = share * (same - opposite);
  const double difference_minus = share * (down - up);
  return {sum_plus + sum_minus, sum_minus - sum_plus, difference_plus + difference_minus,
          difference_plus - difference_minus};
}

/// Number of frequencies 0, 1, ... of n whose gain is not negligible in every direction.
Index kept_frequencies(Index scale, Index n) {
  const double reach = 1.0 + std::sqrt(-std::log(kNegligible) / kRadialWidth);
  const double highest = reach * kFinestFrequency / std::pow(kScaleStep, to_double(scale));
  return std::min(n, static_cast<Index>(highest * to_double(2 * n)) + 1);
}

}  // namespace

Waves::Waves(Index n) : cosines(n, n), sines(n, n) {
  for (Index x = 0; x < n; ++x) {
    for (Index k = 0; k < n; ++k) {
      const double angle = std::numbers::pi * to_double(k * (2 * x + 1)) / to_double(2 * n);
      cosines(x, k) = static_cast<float>(std::cos(angle));
      sines(x, k) = static_cast<float>(std::sin(angle));
    }
  }
  cosines_transposed = cosines.transpose();
  sines_transposed = sines.transpose();
}

Matrix<float> low_pass(Index n, double cutoff) {
  Matrix<double> waves(n, n);
  Vector<double> gains(n);
  for (Index k = 0; k < n; ++k) {
    const double ratio = to_double(k) / (to_double(2 * n) * cutoff);
    gains(k) = (k == 0 ? 1.0 : 2.0) / to_double(n) * std::exp(-std::numbers::ln2 * ratio * ratio);
    for (Index x = 0; x < n; ++x) {
      waves(x, k) = std::cos(std::numbers::pi * to_double(k * (2 * x + 1)) / to_double(2 * n));
    }
  }
  return (waves * gains.asDiagonal() * waves.transpose()).cast<float>();
}

ScaleFilters make_scale(Index scale, Index orientations, ImageSize size) {
  ScaleFilters filters;
  filters.y_frequencies = kept_frequencies(scale, size.height);
  filters.x_frequencies = kept_frequencies(scale, size.width);
  const Index filter_count = orientations / 2 + 1;
  const Index ny = filters.y_frequencies;
  const Index nx = filters.x_frequencies;
  for (FilterParts& parts : filters.parts) {
    parts.part_of_filter.assign(static_cast<std::size_t>(filter_count), -1);
    parts.weights = Matrix<float>::Zero(ny, filter_count * nx);
  }
  for (Index j = 0; j < filter_count; ++j) {
    const PolarGaussian gain(scale, j, orientations);
    for (Index ky = 0; ky < ny; ++ky) {
      for (Index kx = 0; kx < nx; ++kx) {
        const auto weights = part_weights(gain, ky, kx, size);
        for (std::size_t p = 0; p < kParities.size(); ++p) {
          FilterParts& parts = filters.parts[p];
          parts.weights(ky, parts.count * nx + kx) = static_cast<float>(weights[p]);
        }
      }
    }
    for (FilterParts& parts : filters.parts) {
      const float largest = parts.weights.middleCols(parts.count * nx, nx).cwiseAbs().maxCoeff();
      // Where two gains are equal, rounding leaves tiny values: such a part counts as zero.
      if (to_double(size.height) * to_double(size.width) * static_cast<double>(largest) >=
          kNegligible) {
        parts.part_of_filter[static_cast<std::size_t>(j)] = parts.count++;
      }
    }
  }
  for (FilterParts& parts : filters.parts) {
    parts.weights.conservativeResize(Eigen::NoChange, parts.count * nx);
  }
  return filters;
}

}  // namespace structhash::features
