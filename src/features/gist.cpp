#include "features/gist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "core/linalg.hpp"
#include "features/gist_filters.hpp"
#include "features/simd/magnitudes.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

/// An image is mirrored at its borders, so that filters see no edge there.  Filtering is then a
/// product with cosine and sine matrices, one wave per pixel in each direction.  For images of up
/// to about 100 pixels a side, matrix products are faster than fast Fourier transforms of the image
/// padded to twice its size (docs/features.md).
namespace structhash {
namespace features {
namespace {

constexpr double kCyclesPerImage = 4.0;  // of the low-pass filter, at which its gain is 1/2
constexpr float kContrastFloor = 0.2F;   // keeps the noise of flat regions small
constexpr float kBrightest = 255.0F;
constexpr Index kPixelsAtOnce = Index{1} << 14U;  // per task, about

using Map = Eigen::Map<Matrix<float>>;

/// Everything that depends only on the size of the images.
struct Plan {
  Plan(ImageSize image_size, const GistOptions& options)
      : size(image_size),
        orientations(options.orientations),
        blocks(options.blocks),
        y_waves(size.height),
        x_waves(size.width),
        y_low_pass(low_pass(size.height, cutoff())),
        x_low_pass(low_pass(size.width, cutoff())) {
    for (Index scale = 0; scale < options.scales; ++scale) {
      scales.push_back(make_scale(scale, orientations, size));
    }
  }

  double cutoff() const { return kCyclesPerImage / to_double(std::max(size.height, size.width)); }
  Index block_start(Index block, Index length) const { return block * length / blocks; }

  ImageSize size;
  Index orientations;
  Index blocks;
  Waves y_waves;
  Waves x_waves;
  Matrix<float> y_low_pass;
  Matrix<float> x_low_pass;
  std::vector<ScaleFilters> scales;
};

/// Memory for describing one image, reused for many.
struct Workspace {
  explicit Workspace(const Plan& plan)
      : image(plan.size.height, plan.size.width),
        half(plan.size.height, plan.size.width),
        smooth(plan.size.height, plan.size.width),
        sums(2, plan.size.width),
        zeros(Vector<float>::Zero(plan.size.width)) {
    Index max_parts = 0;
    for (const ScaleFilters& scale : plan.scales) {
      for (const FilterParts& parts : scale.parts) {
        max_parts = std::max(max_parts, parts.count);
      }
    }
    const Index area = plan.size.height * plan.size.width * max_parts;
    weighted.resize(area);
    half_done.resize(area);
    for (Vector<float>& part : responses) {
      part.resize(area);
    }
  }

  Matrix<float> image;  // grey, then prefiltered, then its cosine transform
  Matrix<float> half;
  Matrix<float> smooth;
  Vector<float> weighted;   // frequencies in y x (parts * frequencies in x)
  Vector<float> half_done;  // y x (parts * frequencies in x)
  std::array<Vector<float>, kParities.size()> responses;  // (y * parts) x width
  Matrix<float> sums;                                     // magnitudes over the rows of a block
  Vector<float> zeros;
};

/// Mean of the channels, stretched to 0..255; a constant image becomes 0.
void make_grey(const ImageSet& images, Index i, Matrix<float>& grey) {
  const std::uint8_t* pixels = images.image(i);
  for (Index p = 0; p < grey.size(); ++p) {
    int sum = 0;
    for (Index c = 0; c < images.channels; ++c) {
      sum += *pixels++;
    }
    grey.data()[p] = static_cast<float>(sum);
  }
  const float darkest = grey.minCoeff();
  const float range = grey.maxCoeff() - darkest;
  const float scale = range > 0.0F ? kBrightest / range : 0.0F;
  grey.array() = (grey.array() - darkest) * scale;
}

void smooth_image(const Plan& plan, const Matrix<float>& image, Workspace& work) {
  product_into(plan.y_low_pass, image, work.half);
  product_into(work.half, plan.x_low_pass, work.smooth);  // the matrix is symmetric
}

/// Makes the local mean 0 and the local contrast uniform, with L the low-pass filter of
/// kCyclesPerImage:
///
///   l = log(1 + grey),  d = l - L l,  out = d / (0.2 + sqrt |L d^2|)
void prefilter(const Plan& plan, Workspace& work) {
  Matrix<float>& image = work.image;
  image.array() = (image.array() + 1.0F).log();
  smooth_image(plan, image, work);
  image -= work.smooth;
  smooth_image(plan, image.cwiseAbs2(), work);
  image.array() /= kContrastFloor + square_roots(work.smooth.array().abs());
}

/// C(ky, kx) = sum_{y, x} image(y, x) cos(pi ky (2y + 1) / 2H) cos(pi kx (2x + 1) / 2W)
void cosine_transform(const Plan& plan, Workspace& work) {
  product_into(plan.y_waves.cosines_transposed, work.image, work.half);
  product_into(work.half, plan.x_waves.cosines, work.image);
}

/// The responses of one parity: the weighted spectrum times the waves in y and in x.
void respond(const Plan& plan, const ScaleFilters& scale, std::size_t parity, Workspace& work) {
  const FilterParts& parts = scale.parts[parity];
  const Index ny = scale.y_frequencies;
  const Index nx = scale.x_frequencies;
  const Index height = plan.size.height;
  if (parts.count == 0) {
    return;
  }
  Map weighted(work.weighted.data(), ny, parts.count * nx);
  for (Index ky = 0; ky < ny; ++ky) {
    for (Index part = 0; part < parts.count; ++part) {
      weighted.row(ky).segment(part * nx, nx) =
          parts.weights.row(ky).segment(part * nx, nx).cwiseProduct(work.image.row(ky).head(nx));
    }
  }
  const bool sine_y = sine_in_y(kParities[parity]);
  const bool sine_x = sine_in_x(kParities[parity]);
  const Matrix<float>& y_waves = sine_y ? plan.y_waves.sines : plan.y_waves.cosines;
  const Matrix<float>& x_waves =
      sine_x ? plan.x_waves.sines_transposed : plan.x_waves.cosines_transposed;
  product_into(y_waves.leftCols(ny), weighted,
               Map(work.half_done.data(), height, parts.count * nx));
  product_into(Map(work.half_done.data(), height * parts.count, nx), x_waves.topRows(nx),
               Map(work.responses[parity].data(), height * parts.count, plan.size.width));
}

/// Row y of the responses of filter j.
ResponseRow response_row(const Plan& plan, const ScaleFilters& scale, Index j, Index y,
                         const Workspace& work) {
  const auto row = [&](Parity parity) {
    const auto p = static_cast<std::size_t>(parity);
    const FilterParts& parts = scale.parts[p];
    const Index part = parts.part_of_filter[static_cast<std::size_t>(j)];
    return part < 0 ? work.zeros.data()
                    : work.responses[p].data() + (y * parts.count + part) * plan.size.width;
  };
  return {row(Parity::cos_cos), row(Parity::sin_sin), row(Parity::cos_sin), row(Parity::sin_cos)};
}

/// Means of the magnitudes over the blocks, for filter j and its mirror image J - j.
void average_blocks(const Plan& plan, const ScaleFilters& scale, Index j, Workspace& work,
                    float* scale_out) {
  const Index per_filter = plan.blocks * plan.blocks;
  const bool has_mirror_image = j > 0 && 2 * j < plan.orientations;
  for (Index block_row = 0; block_row < plan.blocks; ++block_row) {
    const Index top = plan.block_start(block_row, plan.size.height);
    const Index bottom = plan.block_start(block_row + 1, plan.size.height);
    work.sums.setZero();
    for (Index y = top; y < bottom; ++y) {
      add_magnitudes(response_row(plan, scale, j, y, work),
                     static_cast<std::size_t>(plan.size.width), work.sums.row(0).data(),
                     work.sums.row(1).data());
    }
    for (Index block = 0; block < plan.blocks; ++block) {
      const Index left = plan.block_start(block, plan.size.width);
      const Index columns = plan.block_start(block + 1, plan.size.width) - left;
      const auto area = static_cast<float>((bottom - top) * columns);
      const Index at = block_row * plan.blocks + block;
      scale_out[j * per_filter + at] = work.sums.row(0).segment(left, columns).sum() / area;
      if (has_mirror_image) {
        scale_out[(plan.orientations - j) * per_filter + at] =
            work.sums.row(1).segment(left, columns).sum() / area;
      }
    }
  }
}

void describe(const Plan& plan, const ImageSet& images, Index i, Workspace& work, float* out) {
  make_grey(images, i, work.image);
  prefilter(plan, work);
  cosine_transform(plan, work);
  for (const ScaleFilters& scale : plan.scales) {
    for (std::size_t parity = 0; parity < kParities.size(); ++parity) {
      respond(plan, scale, parity, work);
    }
    for (Index j = 0; j <= plan.orientations / 2; ++j) {
      average_blocks(plan, scale, j, work, out);
    }
    out += plan.orientations * plan.blocks * plan.blocks;
  }
}

void check_numbers(const GistOptions& options) {
  static constexpr Index kMax = 256;
  const auto check = [](Index number, const char* what) {
    require(number >= 1 && number <= kMax,
            fmt::format("GIST: {1} must be 1 to {0}, got {2}", kMax, what, number));
  };
  check(options.scales, "scales");
  check(options.orientations, "orientations");
  check(options.blocks, "blocks");
}

void check_images(const ImageSet& images, Index blocks) {
  require(images.count >= 1, "GIST needs at least one image");
  require(images.channels == 1 || images.channels == 3, "images have 1 or 3 channels");
  require(static_cast<Index>(images.pixels.size()) == images.count * images.image_bytes(),
          "the number of pixels does not match the size of the images");
  require(blocks <= std::min(images.height, images.width),
          fmt::format("GIST cannot cut images of {} x {} pixels into {} x {} blocks; use fewer "
                      "blocks or larger images",
                      images.height, images.width, blocks, blocks));
}

}  // namespace
}  // namespace features

Index gist_dimension(const GistOptions& options) {
  features::check_numbers(options);
  return options.scales * options.orientations * options.blocks * options.blocks;
}

Matrix<float> gist(const ImageSet& images, const GistOptions& options) {
  using namespace features;
  const Index dimension = gist_dimension(options);
  check_images(images, options.blocks);
  const Plan plan({images.height, images.width}, options);
  Matrix<float> described(images.count, dimension);
  const Index at_once = std::max<Index>(1, kPixelsAtOnce / (images.height * images.width));
  std::atomic<Index> done = 0;
  report(options.on_progress, {"describing", 0.0, to_double(images.count), ""});
  parallel_for(images.count, options.threads, at_once, [&](Index begin, Index end) {
    Workspace work(plan);
    for (Index i = begin; i < end; ++i) {
      describe(plan, images, i, work, described.row(i).data());
    }
    const Index now = done += end - begin;
    report(options.on_progress, {"describing", to_double(now), to_double(images.count), ""});
  });
  return described;
}

}  // namespace structhash
