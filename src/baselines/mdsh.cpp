#include "baselines/mdsh.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "baselines/component_ranges.hpp"
#include "baselines/eigenfunctions.hpp"
#include "core/linalg.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr double kTail = 0.025;         // share of the rows cut off at both ends of a component
constexpr Index kMaxBins = 50;          // of a histogram
constexpr double kMinWeight = 0.1;      // relative to the largest; smaller ones get no bit
constexpr Index kSampledQueries = 500;  // rows whose neighbours set sigma
constexpr Index kSampledRows = 4000;    // rows among which these neighbours are

/// Mean distance of a row to its nearest neighbours, over a sample of the rows.
double mean_neighbour_distance(const MatrixView& x, Index neighbours, Seed seed, Threads threads) {
  Rng rng(seed);
  const std::vector<Index> rows =
      sample_without_replacement(x.rows(), std::min(kSampledRows, x.rows()), rng);
  const Matrix<float> sample = x(rows, Eigen::all);
  const Index queries = std::min(kSampledQueries, sample.rows());
  const Matrix<float> products = product_abt(sample.topRows(queries), sample, threads);
  const Vector<double> norms = sample.cast<double>().rowwise().squaredNorm();
  const Index count = std::min(neighbours, sample.rows() - 1);
  double sum = 0.0;
  std::vector<double> distances(static_cast<std::size_t>(sample.rows()));
  for (Index query = 0; query < queries; ++query) {
    for (Index row = 0; row < sample.rows(); ++row) {
      const double squared =
          norms(query) + norms(row) - 2.0 * static_cast<double>(products(query, row));
      distances[static_cast<std::size_t>(row)] = row == query ? 0.0 : std::max(squared, 0.0);
    }
    const auto last = distances.begin() + (count + 1);  // the row itself is the first
    std::ranges::partial_sort(distances, last);
    for (auto at = distances.begin() + 1; at != last; ++at) {
      sum += std::sqrt(*at);
    }
  }
  return sum / to_double(queries * count);
}

/// One bit: a function of the component and the value it is cut at.
struct CutFunction {
  const Eigenfunction* function;
  double threshold;
  Index level;  // counts the cuts of one function
};

/// B cuts.  If at least B functions weigh enough, the best B are cut at their medians.  Otherwise
/// those that do share the bits, the best first, and a function with r bits is cut at r quantiles,
/// each 1/(r+1) of the rows apart.
std::vector<CutFunction> choose_cuts(const std::vector<Eigenfunction>& functions,
                                     const ComponentRanges& ranges, Index bins, Index bits) {
  const double least = kMinWeight * functions.front().weight;
  const Index good = std::min(bits, std::ranges::count_if(functions, [&](const auto& function) {
                                return function.weight > least;
                              }));
  std::vector<CutFunction> cuts;
  for (Index i = 0; i < good; ++i) {
    const Eigenfunction& function = functions[static_cast<std::size_t>(i)];
    const Index c = function.component;
    const double half = 0.5 * bin_width(ranges.low(c), ranges.high(c), bins);
    std::vector<double> values;
    for (const float at : ranges.values.row(c)) {
      values.push_back(
          interpolate(function.values, ranges.low(c) + half, ranges.high(c) - half, at));
    }
    std::ranges::sort(values);
    const Index copies = bits / good + (i < bits % good ? 1 : 0);
    for (Index copy = 1; copy <= copies; ++copy) {
      const double share = to_double(copy) / to_double(copies + 1);
      const auto at =
          static_cast<std::size_t>(std::lround(share * to_double(std::ssize(values) - 1)));
      cuts.push_back({&function, values[at], copy - 1});
    }
  }
  return cuts;
}

/// Keeps only the components that bits use, in the order of their first use.
CurveEncoder make_encoder(const std::vector<CutFunction>& cuts, const ComponentRanges& ranges,
                          Index bins) {
  std::map<Index, std::int32_t> places;
  std::vector<Index> used;
  CurveEncoder encoder{.components = {}, .first_knot = {0}, .knots = {}};
  for (const CutFunction& cut : cuts) {
    const auto [place, added] =
        places.emplace(cut.function->component, static_cast<std::int32_t>(used.size()));
    if (added) {
      used.push_back(cut.function->component);
    }
    encoder.components.push_back(place->second);
    for (const double value : cut.function->values) {
      encoder.knots.push_back(static_cast<float>(value - cut.threshold));
    }
    encoder.first_knot.push_back(std::ssize(encoder.knots));
  }
  encoder.directions = ranges.directions(used, Eigen::all);
  encoder.offsets = ranges.offsets(used);
  encoder.low.resize(std::ssize(used));
  encoder.high.resize(std::ssize(used));
  for (Index i = 0; i < std::ssize(used); ++i) {  // the functions are known at the bins' centres
    const Index c = used[static_cast<std::size_t>(i)];
    const double half = 0.5 * bin_width(ranges.low(c), ranges.high(c), bins);
    encoder.low(i) = static_cast<float>(static_cast<double>(ranges.low(c)) + half);
    encoder.high(i) = static_cast<float>(static_cast<double>(ranges.high(c)) - half);
  }
  return encoder;
}

}  // namespace

/// bit = [ u(v) > threshold ],  u: an eigenfunction of the affinity along a principal component v
/// (docs/methods.md C.3).
HashModel fit_mdsh(const TrainingSet& data, const MdshParams& params, const FitContext& context) {
  check(data, Supervision::none, context.threads);
  const ComponentRanges ranges =
      component_ranges(data.x, data.x.cols(), kTail, "mdsh", context.threads);
  const double sigma =
      params.width * mean_neighbour_distance(data.x, params.neighbours, context.seed.fork("mdsh"),
                                             context.threads);
  const Index bins = std::clamp<Index>(data.x.rows() / 10, 3, kMaxBins);
  report(context.on_progress, {.stage = "eigenfunctions", .done = 0.0, .total = 1.0, .detail = {}});
  const std::vector<Eigenfunction> functions =
      leading_eigenfunctions(ranges, bins, std::max(sigma, 1e-30), params.bits, context.threads);
  const std::vector<CutFunction> cuts = choose_cuts(functions, ranges, bins, params.bits);
  nlohmann::json weights = nlohmann::json::array();
  nlohmann::json levels = nlohmann::json::array();
  for (const CutFunction& cut : cuts) {
    weights.push_back(cut.function->weight / functions.front().weight);
    levels.push_back(cut.level);
  }
  return make_model(
      "mdsh", kMdshOptions, params, context.seed, make_encoder(cuts, ranges, bins),
      {{"sigma", sigma}, {"weights", std::move(weights)}, {"levels", std::move(levels)}});
}

}  // namespace structhash
