#pragma once

#include <optional>
#include <string>

#include "hashing/families/make_family.hpp"
#include "hashing/option_table.hpp"
#include "learner/class_weights.hpp"
#include "learner/column_generation.hpp"
#include "learner/refinement.hpp"

/// The parameters of StructHash, each declared once with its name, range and help.
namespace structhash {

/// Values of several options under one name.
enum class Preset { standard, fast, paper };
inline constexpr Choice kPresets{std::array{Named{"standard", Preset::standard},
                                            Named{"fast", Preset::fast},
                                            Named{"paper", Preset::paper}}};

/// The members' own values are those of the preset `standard`; params_of has the others.
/// An empty optional is "auto": a default by size and supervision (resolve); the ridge in closed
/// form.
struct StructHashParams {
  Index bits = LearnerParams{}.bits;
  std::string measure = "ndcg@100";  // what is optimised (ranking/measures.hpp)
  Functions functions = Functions::kernel;
  double auc_share = 0.5;  // of the loss (ranking/training_loss.hpp); 0: the measure alone
  bool scaled_cutoff = true;
  ClassWeight class_weight = ClassWeight::none;
  std::optional<double> trade_off;
  bool whitening = true;
  std::optional<double> ridge;
  std::optional<double> penalty;
  std::optional<double> width;
  std::optional<double> shrinkage;
  std::optional<double> dither;
  std::optional<bool> bootstrap;
  bool random_duals = LearnerParams{}.random_duals;
  bool stage_wise = false;
  Index trees = TreeFamilyParams{}.trees;
  std::optional<Index> anchors;
  double self_response = KernelParams{}.self_response;
  int random_starts = SmoothParams{}.random_starts;
  bool stump_start = SmoothParams{}.stump_start;
  std::optional<int> spectral_steps;
  std::optional<int> iterations;
  double tolerance = SmoothParams{}.tolerance;
  std::optional<int> refinement;
  int refinement_lengths = RefinementParams{}.lengths;
  double gap = WeightParams{}.gap;
  int max_planes = WeightParams{}.max_planes_per_bit;
  int idle_bits = WeightParams{}.idle_bits;
  Preset preset = Preset::standard;  // a name in the record; its values are in the members
  bool tune = false;
  double validation = 0.2;
};

/// The parameters of a preset, which options given beside it replace.
StructHashParams params_of(Preset preset);

inline constexpr std::tuple kStructHashOptions{
    bits_option(&StructHashParams::bits),
    Option{"measure", &StructHashParams::measure, Text{}, "Ranking measure to optimise"},
    Option{"functions", &StructHashParams::functions, FunctionChoice{}, "Kind of hash functions"},
    Option{"auc-share", &StructHashParams::auc_share, between(0, 1),
           "Share of the AUC in the training loss"},
    Option{"scaled-cutoff", &StructHashParams::scaled_cutoff, Flag{},
           "Scale the cut-off of the measure by the share of relevant rows that the lists hold"},
    Option{"class-weight", &StructHashParams::class_weight, kClassWeights,
           "Weight of a query; balanced: inverse to the size of its class, root: to its root"},
    Option{"trade-off", &StructHashParams::trade_off, above(1),
           "C over the smallest C at which any bit weight is not zero"},
    Option{"whitening", &StructHashParams::whitening, Flag{},
           "Whiten the features that hash functions are linear in", kSmoothFunctions},
    Option{"ridge", &StructHashParams::ridge, above(0),
           "Ridge of the whitening, relative to the largest variance", kSmoothFunctions},
    Option{"penalty", &StructHashParams::penalty, at_least(0),
           "Penalty on the directions of hash functions, relative to the objective",
           kSmoothFunctions},
    Option{"width", &StructHashParams::width, above(0),
           "Kernel width: sigma^2 over the mean squared distance of rows to anchors",
           kKernelFunctions},
    Option{"shrinkage", &StructHashParams::shrinkage, between(0, 1),
           "Shrinkage of the bit weights to equal weights; 1 is the plain Hamming distance"},
    Option{"dither", &StructHashParams::dither, at_least(0),
           "Size of the random function added to every hash function", kSmoothFunctions},
    Option{"bootstrap", &StructHashParams::bootstrap, Flag{},
           "Find every bit on its own bootstrap of the lists"},
    Option{"random-duals", &StructHashParams::random_duals, Flag{},
           "Find the first bit on random rankings instead of the worst ones"},
    Option{"stage-wise", &StructHashParams::stage_wise, Flag{},
           "Keep the weights of earlier bits instead of learning all again after every bit"},
    Option{"trees", &StructHashParams::trees, at_least(1), "Trees per bit", kTreeFunctions},
    Option{"anchors", &StructHashParams::anchors, at_least(1),
           "Maximum number of kernel anchors: training rows, or centres of clusters",
           kKernelFunctions},
    Option{"self-response", &StructHashParams::self_response, between(0, 1),
           "Response of an anchor to itself in training, from that of its nearest anchor (0) to 1",
           kKernelFunctions},
    Option{"random-starts", &StructHashParams::random_starts, at_least(0),
           "Random directions tried beside the spectral one", kSmoothFunctions},
    Option{"stump-start", &StructHashParams::stump_start, Flag{},
           "Also try the best decision stump as a start", kSmoothFunctions},
    Option{"spectral-steps", &StructHashParams::spectral_steps, at_least(0),
           "Power steps towards the spectral direction", kSmoothFunctions},
    Option{"iterations", &StructHashParams::iterations, at_least(0),
           "Maximum L-BFGS iterations per bit", kSmoothFunctions},
    Option{"tolerance", &StructHashParams::tolerance, at_least(0),
           "Relative gradient at which L-BFGS stops", kSmoothFunctions},
    Option{"refinement", &StructHashParams::refinement, at_least(0),
           "L-BFGS iterations that refine all bits together in the end", kSmoothFunctions},
    Option{
        "refinement-lengths", &StructHashParams::refinement_lengths, Range{1, 16},
        "Code lengths that refinement counts: with 4, all bits and their first 1/4, 1/2 and 3/4; "
        "for codes that are truncated",
        kSmoothFunctions},
    Option{"gap", &StructHashParams::gap, Range{0, 1, true, true},
           "Relative duality gap at which the cutting planes of a bit stop"},
    Option{"max-planes", &StructHashParams::max_planes, at_least(1),
           "Maximum number of cutting planes per bit"},
    Option{"idle-bits", &StructHashParams::idle_bits, at_least(0),
           "A cutting plane without dual weight for more bits than this is dropped"},
    Option{"preset", &StructHashParams::preset, kPresets,
           "Defaults of the other options; fast: 500 kernel anchors; paper: the paper's algorithm"},
    Option{"tune", &StructHashParams::tune, Flag{},
           "Try other values of the options that are auto on held-out queries"},
    Option{"validation", &StructHashParams::validation, Range{0, 1, true, true},
           "Share of the queries held out for tuning"},
};

}  // namespace structhash
