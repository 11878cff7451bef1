#include "structhash/baselines/methods.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "baselines/agh.hpp"
#include "baselines/bres.hpp"
#include "baselines/cca_itq.hpp"
#include "baselines/cgh.hpp"
#include "baselines/cosdish.hpp"
#include "baselines/fasthash.hpp"
#include "baselines/hcsdh.hpp"
#include "baselines/itq.hpp"
#include "baselines/klsh.hpp"
#include "baselines/ksh.hpp"
#include "baselines/lsh.hpp"
#include "baselines/mdsh.hpp"
#include "baselines/mihash.hpp"
#include "baselines/sdh.hpp"
#include "baselines/sph.hpp"
#include "baselines/spher.hpp"
#include "baselines/splh.hpp"
#include "baselines/sths.hpp"
#include "core/suggest.hpp"
#include "hashing/families/response_space.hpp"
#include "learner/structhash.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

template <const auto& table, typename Params>
constexpr MethodEntry with_options(MethodEntry entry, FitFunction<Params> /*fit*/) {
  entry.options = [] { return describe_options<Params>(table); };
  return entry;
}

/// The entry of a method that consists of an option table and a fit function.
template <const auto& table, auto fit>
constexpr MethodEntry method(MethodEntry entry) {
  entry.make_named = [](std::string_view name, const MethodOptions& given) {
    return make_hasher(name, table, fit, given);
  };
  return with_options<table>(entry, fit);
}

constexpr std::array kShardFunctions{name_of(Functions::linear), name_of(Functions::kernel)};

/// Of linear functions of fewer rows than features: principal directions, as floats and in double
/// precision while functions are folded into them, and the functions themselves.
double wide_memory(const TrainingSize& size) {
  const bool wide = size.anchors == 0.0 && size.dimension > size.rows;
  return wide ? size.dimension * (24.0 * size.rows + 4'000.0) : 0.0;
}

/// f: the anchors of kernel functions, else the smaller of n and d.
double features_of(const TrainingSize& size) {
  return size.anchors > 0.0 ? size.anchors : std::min(size.rows, size.dimension);
}

/// For n rows, I items per list, f features (features_of) and t threads
///
///   120 n I + 4 n d + 4 n f + (20 + 4 t) f^2 + wide_memory
///
/// and with trials a fold of all that, the features of three candidates and the planes of those
/// that are trained side by side:
///
///   (20 + 100 min(t, 3)) n I + 4 n d + 12 n f + 12 f^2 + 3 wide_memory
double structhash_memory(const TrainingSize& size) {
  const double features = features_of(size);
  const double items = size.rows * size.list_items;
  const double inputs = size.rows * size.dimension;
  const double values = size.rows * features;
  const double squares = features * features;
  const double training = 120.0 * items + 4.0 * inputs + 4.0 * values +
                          (20.0 + 4.0 * size.threads) * squares + wide_memory(size);
  const double trials = (20.0 + 100.0 * std::min(size.threads, 3)) * items + 4.0 * inputs +
                        12.0 * values + 12.0 * squares + 3.0 * wide_memory(size);
  return size.trials ? training + trials : training;
}

/// Features, their covariance and eigenvectors, whitened features:
///
///   n (4 d + 12,000 + 24 f) + 48 f^2 + wide_memory      f: features_of
double ridged_memory(const TrainingSize& size) {
  const double features = features_of(size);
  return size.rows * (4.0 * size.dimension + 12'000.0 + 24.0 * features) +
         48.0 * features * features + wide_memory(size);
}

constexpr std::array kMethods{
    MethodEntry{.name = "structhash",
                .summary = "codes and bit weights learned for a ranking measure",
                .reference = "Lin, Shen, Wu, ECCV 2014",
                .supervision = Supervision::lists,
                .multi_labels = true,
                .distance = Distance::weighted,
                .adaptive = true,
                .checkpoints = true,
                .nested = true,
                .shard_functions = kShardFunctions,
                .memory = {.auto_anchors = static_cast<double>(KernelParams{}.anchors),
                           .formula = structhash_memory},
                .options = structhash_options,
                .make_named = [](std::string_view,
                                 const MethodOptions& given) { return make_structhash(given); }},
    method<kLshOptions, fit_lsh>(
        {.name = "lsh",
         .summary = "random hyperplanes through the mean, independent of the data otherwise",
         .reference = "Charikar, STOC 2002",
         .nested = true,
         .memory = {.value = 8, .row = 600, .response = 28, .covariance = 16}}),
    method<kSphOptions, fit_sph>({.name = "sph",
                                  .summary = "sinusoids along principal components",
                                  .reference = "Weiss, Torralba, Fergus, NIPS 2008",
                                  .nested = true,
                                  .memory = {.value = 8, .row = 1200, .covariance = 40}}),
    method<kMdshOptions, fit_mdsh>(
        {.name = "mdsh",
         .summary = "eigenfunctions of the affinity along principal components",
         .reference = "Weiss, Fergus, Torralba, ECCV 2012",
         .own_distance = "product",
         .memory = {.value = 8, .row = 1200, .covariance = 40}}),
    method<kAghOptions, fit_agh>(
        {.name = "agh",
         .summary = "smooth functions on a graph of anchors, two thresholds each",
         .reference = "Liu, Wang, Kumar, Chang, ICML 2011",
         .memory = {.value = 4, .row = 4000, .response = 8, .covariance = 16}}),
    method<kAghOptions, fit_agh1>(
        {.name = "agh1",
         .summary = "smooth functions on a graph of anchors, one threshold each",
         .reference = "Liu, Wang, Kumar, Chang, ICML 2011",
         .nested = true,
         .memory = {.value = 4, .row = 4000, .response = 8, .covariance = 16}}),
    method<kSpherOptions, fit_spher>(
        {.name = "spher",
         .summary = "balls of half of the data, a quarter in every two of them",
         .reference = "Heo, Lee, He, Chang, Yoon, CVPR 2012",
         .own_distance = "spherical",
         .memory = {.value = 8, .row = 2000, .covariance = 16}}),
    method<kItqOptions, fit_itq>(
        {.name = "itq",
         .summary = "principal components, rotated towards the corners of a cube",
         .reference = "Gong, Lazebnik, CVPR 2011",
         .memory = {.value = 8, .row = 1500, .response = 28, .covariance = 40}}),
    method<kKlshOptions, fit_klsh>(
        {.name = "klsh",
         .summary = "random hyperplanes in a kernel space",
         .reference = "Kulis, Grauman, ICCV 2009",
         .nested = true,
         .memory = {.value = 8, .row = 1500, .response = 8, .covariance = 16}}),
    // Supervised ones.
    method<kCcaItqOptions, fit_cca_itq>(
        {.name = "cca-itq",
         .summary = "canonical correlations with the labels, rotated towards the corners of a cube",
         .reference = "Gong, Lazebnik, Gordo, Perronnin, TPAMI 2013",
         .supervision = Supervision::labels,
         .multi_labels = true,
         .memory = {.formula = ridged_memory}}),
    method<kBresOptions, fit_bres>(
        {.name = "bres",
         .summary = "Hamming distances fitted to those of the labels by coordinate descent",
         .reference = "Kulis, Darrell, NIPS 2009",
         .supervision = Supervision::labels,
         .multi_labels = true,
         .memory = {.value = 12, .row = 1000, .response = 28, .covariance = 16}}),
    method<kSthsOptions, fit_sths>(
        {.name = "sths",
         .summary = "spectral codes of a label graph, then one classifier per bit",
         .reference = "Zhang, Wang, Cai, Lu, SIGIR 2010",
         .supervision = Supervision::labels,
         .multi_labels = true,
         .nested = true,
         .memory = {.value = 12, .row = 4000, .response = 28, .covariance = 16, .pair = 6}}),
    method<kSplhOptions, fit_splh>(
        {.name = "splh",
         .summary = "projections fitted one after another, each to the errors of the previous ones",
         .reference = "Wang, Kumar, Chang, TPAMI 2012",
         .supervision = Supervision::labels,
         .multi_labels = true,
         .nested = true,
         .memory = {.value = 28, .row = 12000, .response = 28, .covariance = 300}}),
    method<kCghOptions, fit_cgh>(
        {.name = "cgh",
         .summary = "codes and bit weights learned from triplets by column generation",
         .reference = "Li, Lin, Shen, van den Hengel, Dick, ICML 2013",
         .supervision = Supervision::lists,
         .multi_labels = true,
         .distance = Distance::weighted,
         .nested = true,
         .memory = {.formula = ridged_memory}}),
    method<kKshOptions, fit_ksh>(
        {.name = "ksh",
         .summary =
             "codes whose inner products approximate the label similarity, fitted bit by bit",
         .reference = "Liu, Wang, Ji, Jiang, Chang, CVPR 2012",
         .supervision = Supervision::labels,
         .multi_labels = true,
         .memory = {.formula = ridged_memory}}),
    method<kFastHashOptions, fit_fasthash>(
        {.name = "fasthash",
         .summary = "bits inferred by graph cuts, then learned by boosted trees",
         .reference = "Lin, Shen, Shi, van den Hengel, Suter, CVPR 2014",
         .supervision = Supervision::labels,
         .multi_labels = true,
         .nested = true,
         .memory = {.value = 12, .row = 12000, .covariance = 16}}),
    method<kCosdishOptions, fit_cosdish>(
        {.name = "cosdish",
         .summary = "discrete codes from sampled columns of the label similarity",
         .reference = "Kang, Li, Zhou, AAAI 2016",
         .supervision = Supervision::labels,
         .multi_labels = true,
         .memory = {.formula = ridged_memory}}),
    method<kMihashOptions, fit_mihash>(
        {.name = "mihash",
         .summary = "one layer that maximises the mutual information of distance and relevance",
         .reference = "Cakir, He, Bargal, Sclaroff, ICCV 2017",
         .supervision = Supervision::labels,
         .multi_labels = true,
         .memory = {.formula = ridged_memory}}),
    method<kSdhOptions, fit_sdh>(
        {.name = "sdh",
         .summary = "codes from which a linear classifier predicts the labels",
         .reference = "Shen, Shen, Liu, Shen, CVPR 2015",
         .supervision = Supervision::labels,
         .multi_labels = true,
         .memory = {.formula = ridged_memory}}),
    method<kHcsdhOptions, fit_hcsdh>({.name = "hcsdh",
                                      .summary = "regression to a Hadamard code per class",
                                      .reference = "Koutaki, Shirai, Ambai, IEEE TIP 2018",
                                      .supervision = Supervision::labels,
                                      .memory = {.formula = ridged_memory}})};

}  // namespace

double TrainingMemory::bytes(const TrainingSize& size) const {
  const double components = std::min(size.rows, size.dimension);
  return formula != nullptr ? formula(size)
                            : size.rows * (value * size.dimension + row + response * size.anchors +
                                           pair * size.rows) +
                                  covariance * components * components + wide_memory(size);
}

std::span<const MethodEntry> methods() {
  return kMethods;
}

const MethodEntry& find_method(std::string_view name) {
  const auto* const found = std::ranges::find(kMethods, name, &MethodEntry::name);
  if (found == kMethods.end()) {
    std::vector<std::string_view> known;
    for (const MethodEntry& entry : kMethods) {
      known.push_back(entry.name);
    }
    fail(Errc::usage, unknown_name("method", name, known));
  }
  return *found;
}

std::string option_value(const MethodEntry& method, const MethodOptions& given,
                         std::string_view name) {
  const std::vector<OptionInfo> known = method.options();
  const auto option = std::ranges::find(known, name, &OptionInfo::name);
  if (option == known.end()) {
    return {};
  }
  if (!option->functions.empty() &&
      std::ranges::find(option->functions, option_value(method, given, "functions")) ==
          option->functions.end()) {
    return {};
  }
  const auto values = options::all_given(given);
  if (const std::string* value = options::find(values, name)) {
    return *value;
  }
  const std::string* preset = options::find(values, "preset");
  const auto of_preset = preset != nullptr ? option->presets.find(*preset) : option->presets.end();
  return of_preset == option->presets.end() ? option->default_value : of_preset->second;
}

}  // namespace structhash
