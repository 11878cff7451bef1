#pragma once

/// Everything, in the order in which data flow: dataset, relevance lists, ranking measures, codes,
/// hash functions and models, the learner, baselines and the table of methods, search,
/// evaluation.

#include "structhash/core/atomic_file.hpp"
#include "structhash/core/container.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/linalg.hpp"
#include "structhash/core/mapped_file.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/core/suggest.hpp"
#include "structhash/core/thread_team.hpp"
#include "structhash/core/types.hpp"

#include "structhash/data/dataset.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/data/npy_write.hpp"
#include "structhash/data/preprocess.hpp"
#include "structhash/data/split.hpp"

#include "structhash/relevance/builders.hpp"
#include "structhash/relevance/judgments.hpp"
#include "structhash/relevance/metric_neighbours.hpp"
#include "structhash/relevance/relevance_list.hpp"

#include "structhash/ranking/discount.hpp"
#include "structhash/ranking/joint_feature.hpp"
#include "structhash/ranking/measure.hpp"
#include "structhash/ranking/measures.hpp"
#include "structhash/ranking/most_violated.hpp"
#include "structhash/ranking/row_oracle.hpp"

#include "structhash/codes/code_io.hpp"
#include "structhash/codes/code_matrix.hpp"
#include "structhash/codes/conventions.hpp"
#include "structhash/codes/distance.hpp"

#include "structhash/hashing/encoder.hpp"
#include "structhash/hashing/families/kernel.hpp"
#include "structhash/hashing/families/linear.hpp"
#include "structhash/hashing/families/smooth.hpp"
#include "structhash/hashing/families/stump.hpp"
#include "structhash/hashing/families/tree.hpp"
#include "structhash/hashing/hash_family.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/kernel_encoder.hpp"
#include "structhash/hashing/linear_encoder.hpp"
#include "structhash/hashing/method_options.hpp"
#include "structhash/hashing/model.hpp"
#include "structhash/hashing/model_io.hpp"
#include "structhash/hashing/pair_form.hpp"
#include "structhash/hashing/stump_encoder.hpp"
#include "structhash/hashing/tree_encoder.hpp"

#include "structhash/learner/column_generation.hpp"
#include "structhash/learner/cutting_plane.hpp"
#include "structhash/learner/list_table.hpp"
#include "structhash/learner/master_problem.hpp"
#include "structhash/learner/selection.hpp"
#include "structhash/learner/structhash.hpp"
#include "structhash/learner/validation.hpp"
#include "structhash/learner/weight_learner.hpp"

#include "structhash/baselines/lsh.hpp"
#include "structhash/baselines/methods.hpp"

#include "structhash/search/search_engine.hpp"

#include "structhash/evaluation/curves.hpp"
#include "structhash/evaluation/evaluate.hpp"
#include "structhash/evaluation/experiment.hpp"
#include "structhash/evaluation/ground_truth.hpp"
#include "structhash/evaluation/measures.hpp"
#include "structhash/evaluation/tie_aware.hpp"
#include "structhash/evaluation/trec_run.hpp"
