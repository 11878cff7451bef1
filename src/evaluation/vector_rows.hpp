#pragma once

#include "evaluation/retrieval_task.hpp"

/// What float vectors, and codes that learn nothing from labels, reach on a task: yardsticks for
/// learned codes.  Their rows have a fixed size.
namespace structhash {

/// The vectors themselves by cosine similarity: 4 bytes per column.
DetailedRow cosine_row(const RetrievalTask& task, std::span<const std::string> measures,
                       const FitContext& context);

/// The signs of the vectors by Hamming distance: one bit per column.
DetailedRow sign_row(const RetrievalTask& task, std::span<const std::string> measures,
                     const FitContext& context);

/// Product quantisation to `bytes` bytes, learned from the training rows and the database; float
/// queries (asymmetric distance).  `bytes` must divide the columns.
DetailedRow quantiser_row(const RetrievalTask& task, Index bytes,
                          std::span<const std::string> measures, const FitContext& context);

}  // namespace structhash
