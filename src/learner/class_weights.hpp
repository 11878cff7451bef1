#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/shards.hpp"
#include "hashing/functions.hpp"
#include "hashing/option_table.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// Weights of queries by the size of their class (docs/adr/0034).
namespace structhash {

enum class ClassWeight { none, root, balanced };
inline constexpr Choice kClassWeights{std::array{Named{"none", ClassWeight::none},
                                                 Named{"root", ClassWeight::root},
                                                 Named{"balanced", ClassWeight::balanced}}};

/// 1, 1 / sqrt(size) or 1 / size.
double class_factor(ClassWeight kind, Index size);

/// Lists with their weights times the factor of the query's class, whose rows a shard counts among
/// its own.
std::vector<RelevanceList> weighted_by_class(std::span<const RelevanceList> lists,
                                             const Labels& labels, const Shards& shards,
                                             ClassWeight kind);

/// Throws Errc::bad_data if classes are to be weighted and rows do not have one class each.
void check_class_weight(ClassWeight kind, const Labels& labels);

}  // namespace structhash
