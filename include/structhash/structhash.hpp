#pragma once

/// Everything, in the order in which data flow: dataset, features of images, relevance lists,
/// ranking measures, codes, hash functions and models, the learner, baselines and the table of
/// methods, search, evaluation, the report page.

#include "structhash/core/container.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/core/types.hpp"
#include "structhash/core/version.hpp"

#include "structhash/data/dataset.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/data/sparse_rows.hpp"
#include "structhash/data/split.hpp"

#include "structhash/relevance/builders.hpp"
#include "structhash/relevance/judgments.hpp"
#include "structhash/relevance/relevance_list.hpp"

#include "structhash/ranking/measures.hpp"

#include "structhash/codes/code_io.hpp"
#include "structhash/codes/code_matrix.hpp"
#include "structhash/codes/distance.hpp"

#include "structhash/hashing/encoder.hpp"
#include "structhash/hashing/encoders.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"
#include "structhash/hashing/model.hpp"
#include "structhash/hashing/model_io.hpp"

#include "structhash/baselines/methods.hpp"

#include "structhash/search/code_index.hpp"
#include "structhash/search/search_engine.hpp"

#include "structhash/evaluation/curves.hpp"
#include "structhash/evaluation/evaluate.hpp"
#include "structhash/evaluation/experiment.hpp"
#include "structhash/evaluation/ground_truth.hpp"
#include "structhash/evaluation/result_row.hpp"

#include "structhash/report/expected_values.hpp"
#include "structhash/report/report_page.hpp"
#include "structhash/report/result_files.hpp"
