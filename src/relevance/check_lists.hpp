#pragma once

#include <span>

#include "structhash/relevance/relevance_list.hpp"

namespace structhash {

/// Throws Errc::bad_data, naming the list, unless rows are in range, no item occurs twice, the
/// query is not among its items, and the weight is finite and above 0.  O(items log items).
void check_lists(std::span<const RelevanceList> lists, Index rows);

}  // namespace structhash
