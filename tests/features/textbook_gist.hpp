#pragma once

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "features/gist.hpp"

/// GIST as a textbook has it, slow and in double: the image is really padded, to twice its size by
/// mirroring, and filtered by plain sums of the Fourier transform.  Only the definition of the
/// filters (docs/features.md) is shared with the library.
namespace structhash::test {

using Complex = std::complex<double>;
using ComplexMatrix = Matrix<Complex>;

/// exp(-2 pi i k x / n)
inline ComplexMatrix fourier_matrix(Index n) {
  ComplexMatrix matrix(n, n);
  for (Index k = 0; k < n; ++k) {
    for (Index x = 0; x < n; ++x) {
      const double angle = -2.0 * std::numbers::pi * to_double(k * x % n) / to_double(n);
      matrix(k, x) = std::polar(1.0, angle);
    }
  }
  return matrix;
}

/// Frequency k of n in cycles per pixel, the upper half being negative.
inline double cycles_per_pixel(Index k, Index n) {
  return to_double(k < (n + 1) / 2 ? k : k - n) / to_double(n);
}

/// Pads an image by half its size in front and the rest behind, filters it with gain(fx, fy) and
/// takes the image out again.
class TextbookFilter {
 public:
  TextbookFilter(Index height, Index width)
      : height_(height),
        width_(width),
        along_y_(fourier_matrix(2 * height)),
        along_x_(fourier_matrix(2 * width)) {}

  ComplexMatrix spectrum(const Matrix<double>& image) const {
    ComplexMatrix padded(2 * height_, 2 * width_);
    for (Index y = 0; y < 2 * height_; ++y) {
      for (Index x = 0; x < 2 * width_; ++x) {
        padded(y, x) = image(inside(y - height_ / 2, height_), inside(x - width_ / 2, width_));
      }
    }
    return along_y_ * padded * along_x_.transpose();
  }

  template <typename Gain>
  ComplexMatrix response(ComplexMatrix spectrum, const Gain& gain) const {
    for (Index ky = 0; ky < spectrum.rows(); ++ky) {
      for (Index kx = 0; kx < spectrum.cols(); ++kx) {
        spectrum(ky, kx) *=
            gain(cycles_per_pixel(kx, 2 * width_), cycles_per_pixel(ky, 2 * height_));
      }
    }
    const ComplexMatrix padded =
        along_y_.adjoint() * spectrum * along_x_.conjugate() / to_double(4 * height_ * width_);
    return padded.block(height_ / 2, width_ / 2, height_, width_);
  }

 private:
  /// The mirror image of a place up to n pixels outside 0..n-1.
  static Index inside(Index place, Index n) {
    return place < 0 ? -1 - place : place >= n ? 2 * n - 1 - place : place;
  }

  Index height_;
  Index width_;
  ComplexMatrix along_y_;
  ComplexMatrix along_x_;
};

inline Matrix<double> textbook_prefilter(Matrix<double> grey, const TextbookFilter& filter) {
  const double darkest = grey.minCoeff();
  const double range = grey.maxCoeff() - darkest;
  const double cutoff = 4.0 / to_double(std::max(grey.rows(), grey.cols()));
  const auto low_pass = [&](const Matrix<double>& image) -> Matrix<double> {
    return filter
        .response(filter.spectrum(image),
                  [&](double fx, double fy) {
                    return std::exp2(-(fx * fx + fy * fy) / (cutoff * cutoff));
                  })
        .real();
  };
  const double stretch = range > 0.0 ? 255.0 / range : 0.0;
  Matrix<double> image = ((grey.array() - darkest) * stretch + 1.0).log();
  image -= low_pass(image);
  return image.array() / (0.2 + low_pass(image.cwiseAbs2()).array().abs().sqrt());
}

inline double textbook_gain(double fx, double fy, Index scale, Index j, Index orientations) {
  if (fx == 0.0 && fy == 0.0) {
    return 0.0;
  }
  const double pi = std::numbers::pi;
  double angle = std::atan2(fy, fx) + pi * to_double(j) / to_double(orientations);
  if (angle > pi) {
    angle -= 2.0 * pi;
  }
  const double radial = std::hypot(fx, fy) / (0.3 / std::pow(1.85, to_double(scale))) - 1.0;
  const double narrow = to_double(orientations * orientations) / 64.0;
  return std::exp(-3.5 * radial * radial - 2.0 * pi * narrow * angle * angle);
}

/// GIST of image i.
inline std::vector<double> textbook_gist(const ImageSet& images, Index i,
                                         const GistOptions& options) {
  Matrix<double> grey(images.height, images.width);
  for (Index p = 0; p < grey.size(); ++p) {
    double sum = 0.0;
    for (Index c = 0; c < images.channels; ++c) {
      sum += images.image(i)[p * images.channels + c];
    }
    grey.data()[p] = sum / to_double(images.channels);
  }
  const TextbookFilter filter(images.height, images.width);
  const ComplexMatrix spectrum = filter.spectrum(textbook_prefilter(grey, filter));
  const auto start = [&](Index block, Index length) { return block * length / options.blocks; };
  std::vector<double> values;
  for (Index s = 0; s < options.scales; ++s) {
    for (Index j = 0; j < options.orientations; ++j) {
      const Matrix<double> magnitude =
          filter
              .response(spectrum,
                        [&](double fx, double fy) {
                          return textbook_gain(fx, fy, s, j, options.orientations);
                        })
              .cwiseAbs();
      for (Index r = 0; r < options.blocks; ++r) {
        for (Index c = 0; c < options.blocks; ++c) {
          const Index top = start(r, images.height);
          const Index left = start(c, images.width);
          values.push_back(magnitude
                               .block(top, left, start(r + 1, images.height) - top,
                                      start(c + 1, images.width) - left)
                               .mean());
        }
      }
    }
  }
  return values;
}

/// The largest difference between a row and the textbook, relative to the textbook's largest value.
inline double textbook_error(const Matrix<float>& rows, const ImageSet& images, Index i,
                             const GistOptions& options) {
  const std::vector<double> expected = textbook_gist(images, i, options);
  double error = 0.0;
  double largest = 0.0;
  for (std::size_t at = 0; at < expected.size(); ++at) {
    const double value = rows(i, static_cast<Index>(at));
    error = std::max(error, std::abs(value - expected[at]));
    largest = std::max(largest, expected[at]);
  }
  return error / largest;
}

}  // namespace structhash::test
