#pragma once

#include <optional>
#include <string>

#include "hashing/families/make_family.hpp"
#include "hashing/option_table.hpp"
#include "learner/column_generation.hpp"

/// The parameters of StructHash, each declared once with its name, range and help.
namespace structhash {

/// An empty optional is "auto": a default by size and supervision (resolve), then tuned.
struct StructHashParams {
  Index bits = LearnerParams{}.bits;
  std::string measure = "ndcg@100";  // what is optimised (ranking/measures.hpp)
  Functions functions = Functions::linear;
  double auc_share = 0.5;  // of the loss (ranking/training_loss.hpp); 0: the measure alone
  std::optional<double> trade_off;
  std::optional<double> ridge;
  std::optional<double> penalty;
  std::optional<double> width;
  std::optional<double> shrinkage;
  std::optional<double> dither;
  std::optional<bool> bootstrap;
  bool stage_wise = false;
  Index trees = TreeFamilyParams{}.trees;
  Index anchors = KernelParams{}.anchors;
  double self_response = KernelParams{}.self_response;
  int random_starts = SmoothParams{}.random_starts;
  int spectral_steps = SmoothParams{}.spectral_steps;
  int iterations = SmoothParams{}.max_iterations;
  double tolerance = SmoothParams{}.tolerance;
  double gap = WeightParams{}.gap;
  int max_planes = WeightParams{}.max_planes_per_bit;
  int idle_bits = WeightParams{}.idle_bits;
  double validation = 0.2;
};

inline constexpr std::tuple kStructHashOptions{
    bits_option(&StructHashParams::bits),
    Option{"measure", &StructHashParams::measure, Text{}, "Ranking measure to optimise"},
    Option{"functions", &StructHashParams::functions, FunctionChoice{}, "Kind of hash functions"},
    Option{"auc-share", &StructHashParams::auc_share, between(0, 1),
           "Share of the AUC in the training loss"},
    Option{"trade-off", &StructHashParams::trade_off, above(1),
           "C over the smallest C at which any bit weight is not zero"},
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
    Option{"stage-wise", &StructHashParams::stage_wise, Flag{},
           "Keep the weights of earlier bits instead of learning all again after every bit"},
    Option{"trees", &StructHashParams::trees, at_least(1), "Trees per bit", kTreeFunctions},
    Option{"anchors", &StructHashParams::anchors, at_least(1),
           "Maximum number of training rows used as kernel anchors", kKernelFunctions},
    Option{"self-response", &StructHashParams::self_response, between(0, 1),
           "Response of an anchor to itself in training, from that of its nearest anchor (0) to 1",
           kKernelFunctions},
    Option{"random-starts", &StructHashParams::random_starts, at_least(0),
           "Random directions tried beside the spectral one", kSmoothFunctions},
    Option{"spectral-steps", &StructHashParams::spectral_steps, at_least(0),
           "Power steps towards the spectral direction", kSmoothFunctions},
    Option{"iterations", &StructHashParams::iterations, at_least(0),
           "Maximum L-BFGS iterations per bit", kSmoothFunctions},
    Option{"tolerance", &StructHashParams::tolerance, at_least(0),
           "Relative gradient at which L-BFGS stops", kSmoothFunctions},
    Option{"gap", &StructHashParams::gap, Range{0, 1, true, true},
           "Relative duality gap at which the cutting planes of a bit stop"},
    Option{"max-planes", &StructHashParams::max_planes, at_least(1),
           "Maximum number of cutting planes per bit"},
    Option{"idle-bits", &StructHashParams::idle_bits, at_least(0),
           "A cutting plane without dual weight for more bits than this is dropped"},
    Option{"validation", &StructHashParams::validation, Range{0, 1, true, true},
           "Share of the queries held out for tuning"},
};

}  // namespace structhash
