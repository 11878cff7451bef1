#pragma once

/// Everything, in the order in which data flow: dataset, relevance lists, ranking measures, codes,
/// hash functions and models, methods, evaluation.

#include "structhash/core/atomic_file.hpp"
#include "structhash/core/container.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/linalg.hpp"
#include "structhash/core/mapped_file.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/core/suggest.hpp"
#include "structhash/core/types.hpp"

#include "structhash/data/dataset.hpp"
#include "structhash/data/loaders.hpp"
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
#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/linear_encoder.hpp"
#include "structhash/hashing/method_options.hpp"
#include "structhash/hashing/model.hpp"
#include "structhash/hashing/model_io.hpp"

#include "structhash/baselines/lsh.hpp"
#include "structhash/baselines/methods.hpp"

#include "structhash/evaluation/curves.hpp"
#include "structhash/evaluation/evaluate.hpp"
#include "structhash/evaluation/ground_truth.hpp"
#include "structhash/evaluation/measures.hpp"
#include "structhash/evaluation/tie_aware.hpp"
#include "structhash/evaluation/trec_run.hpp"
