#pragma once

#include <cstdint>
#include <span>

#include "ranking/gain_table.hpp"

/// The row oracle for many lists at once: where training spends its time.
namespace structhash {

/// Most violated rankings, Eq. (11), of losses.size() lists of one shape.
///
/// distances   lists x (P + N), finite; within a list the relevant items first, in any order
/// inversions  lists x (P + N), filled: for a relevant item the number of irrelevant ones ranked
///             before it (NB), for an irrelevant one the number of relevant ones ranked after it
///             (PA), docs/methods.md A.7; same item order as the distances
/// losses      one per list, filled: 1 - score of its most violated ranking
///
/// Equal distances are ordered by position in the list; ties of the programme take the larger i,
/// as reference::most_violated does.  The result of a list depends on that list alone: it is the
/// same to the bit however lists are grouped in calls and whatever the processor. One thread; the
/// caller cuts the lists into blocks (some tens of lists each amortise the call). Cost: O(P N) per
/// list, with several lists in the lanes of a vector. Throws Errc::usage for sizes that do not fit
/// together, and names the list and item of a distance that is not finite.
void most_violated_batch(const GainTable& gains, std::span<const float> distances,
                         std::span<std::uint16_t> inversions, std::span<double> losses);

}  // namespace structhash
